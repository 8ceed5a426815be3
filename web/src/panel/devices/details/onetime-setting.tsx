/** Whether a device, or the devices of a group, have one-time links. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { Form, Select } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { showNotice } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import type { TabProps } from './device-details.ts';

const texts = t.device.onetime;

type DeviceSettings = OutputOf<'v1/agents/settings'>['data'];
export type OnetimeChoice = DeviceSettings['onetime_url'];

interface OnetimeSelectProps {
  value: OnetimeChoice;
  onChange: (value: OnetimeChoice) => void;
  /** What applies if nothing is chosen here. */
  inherit: string;
}

export const OnetimeSelect = ({ value, onChange, inherit }: OnetimeSelectProps) => (
  <Select
    label={texts.label}
    name="onetime_url"
    hint={texts.hint}
    value={value}
    onChange={(chosen) => onChange(chosen as OnetimeChoice)}
    options={[
      { value: 'inherit', text: inherit },
      { value: 'allow', text: texts.allow },
      { value: 'forbid', text: texts.forbid },
    ]}
  />
);

interface OnetimeFormProps extends TabProps {
  settings: DeviceSettings;
  reloadSettings: () => Promise<void>;
}

function OnetimeForm({ device, reload, settings, reloadSettings }: OnetimeFormProps) {
  const [chosen, setChosen] = useState<OnetimeChoice | undefined>();
  const save = async (): Promise<void> => {
    await post('v1/agents/settings/update', { agent_id: device.id, onetime_url: chosen });
    await Promise.all([reload(), reloadSettings()]);
    setChosen(undefined);
    showNotice(t.common.saved);
  };
  return (
    <Form onSubmit={save} submit={t.common.save} disabled={chosen === undefined}>
      <OnetimeSelect
        value={chosen ?? settings.onetime_url}
        onChange={setChosen}
        inherit={texts.inherit(settings.onetime_url_inherited === 'allow')}
      />
    </Form>
  );
}

export function OnetimeSetting(props: TabProps) {
  const { id } = props.device;
  const settings = useResource(
    `settings ${id}`,
    async (options) => (await get('v1/agents/settings', { agent_id: id }, options)).data,
    ['agents'],
    { isRelevant: (ids) => ids.includes(id) },
  );
  return (
    <Section title={t.device.links.title}>
      <ResourceView resource={settings}>
        {(found) => <OnetimeForm {...props} settings={found} reloadSettings={settings.reload} />}
      </ResourceView>
    </Section>
  );
}
