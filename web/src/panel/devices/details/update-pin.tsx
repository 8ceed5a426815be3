/** Whether a device updates its agent as the account says, or may have one version only. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { Form, Select } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { showNotice } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import type { TabProps } from './device-details.ts';

const texts = t.updates.pin;

type DeviceUpdate = OutputOf<'v1/agents/updates/info'>['data'];

interface PinFormProps {
  id: number;
  update: DeviceUpdate;
  reload: () => Promise<void>;
}

function PinForm({ id, update: { pin, version, state, message }, reload }: PinFormProps) {
  const [chosen, setChosen] = useState<string | undefined>();
  const save = async (): Promise<void> => {
    await post('v1/agents/updates/pin', { id, pin: chosen ?? '' });
    await reload();
    setChosen(undefined);
    showNotice(t.common.saved);
  };
  const versions = new Set([version, pin].filter(Boolean));
  const options = [
    { value: '', text: texts.follow },
    ...[...versions].map((each) => ({ value: each, text: texts.only(each) })),
  ];
  return (
    <Form onSubmit={save} submit={t.common.save} disabled={chosen === undefined}>
      <p class="quiet">
        {texts.state(version, t.updates.state[state])} {message}
      </p>
      <Select label={texts.label} name="pin" value={chosen ?? pin} onChange={setChosen} options={options} />
    </Form>
  );
}

export function UpdatePin({ device: { id } }: TabProps) {
  const update = useResource(
    `update ${id}`,
    async (options) => (await get('v1/agents/updates/info', { id }, options)).data,
    ['agents'],
    { isRelevant: (ids) => ids.includes(id) },
  );
  return (
    <Section title={texts.title}>
      <ResourceView resource={update}>
        {(found) => <PinForm id={id} update={found} reload={update.reload} />}
      </ResourceView>
    </Section>
  );
}
