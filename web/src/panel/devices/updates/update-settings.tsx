/** The settings of updates: whether, when, in which order and how fast. */
import { useState } from 'preact/hooks';
import { get, post, type OutputOf } from '../../api.ts';
import { useResource } from '../../resource.ts';
import { t } from '../../texts/index.ts';
import { Checkbox, Form, Select, TextField } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout.tsx';
import { showNotice } from '../../ui/notices.ts';
import { ResourceView } from '../../ui/states.tsx';
import { groupList, useGroupList } from '../device-store.ts';

const texts = t.updates.settings;

type UpdateSettings = OutputOf<'v1/agents/updates/settings'>['data'];

interface FieldsProps {
  shown: UpdateSettings;
  change: (changed: Partial<UpdateSettings>) => void;
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  text: `${String(hour).padStart(2, '0')}:00`,
}));

const WindowFields = ({ shown, change }: FieldsProps) => (
  <>
    <Select
      label={texts.from}
      name="window_start"
      value={String(shown.window_start)}
      onChange={(hour) => change({ window_start: Number(hour) })}
      options={hours}
    />
    <Select
      label={texts.to}
      name="window_end"
      hint={texts.windowHint}
      value={String(shown.window_end)}
      onChange={(hour) => change({ window_end: Number(hour) })}
      options={hours}
    />
  </>
);

const numberFields = [
  { name: 'canary', label: texts.canary, hint: texts.canaryHint },
  { name: 'failure_percent', label: texts.failures },
  { name: 'per_minute', label: texts.perMinute },
] as const;

const NumberFields = ({ shown, change }: FieldsProps) => (
  <>
    {numberFields.map(({ name, ...field }) => (
      <TextField
        key={name}
        {...field}
        name={name}
        type="number"
        value={String(shown[name])}
        onInput={(value) => change({ [name]: Number(value) })}
      />
    ))}
  </>
);

/** Groups keep the order in which the panel lists them. */
function GroupFields({ shown, change }: FieldsProps) {
  useGroupList();
  if (groupList.value.length === 0) return null;
  const toggle = (id: number, isFirst: boolean): void =>
    change({
      groups: groupList.value
        .map((group) => group.id)
        .filter((each) => (each === id ? isFirst : shown.groups.includes(each))),
    });
  return (
    <fieldset class="choice">
      <legend>{texts.groups}</legend>
      {groupList.value.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={shown.groups.includes(id)}
          onChange={(isFirst) => toggle(id, isFirst)}
        />
      ))}
      <p class="hint">{texts.groupsHint}</p>
    </fieldset>
  );
}

function Fields({ of, onSaved }: { of: UpdateSettings; onSaved: () => Promise<void> }) {
  const [changed, setChanged] = useState<Partial<UpdateSettings>>({});
  const shown = { ...of, ...changed };
  const change = (more: Partial<UpdateSettings>): void => setChanged({ ...changed, ...more });
  const save = async (): Promise<void> => {
    await post('v1/agents/updates/settings/update', changed);
    await onSaved();
    setChanged({});
    showNotice(t.common.saved);
  };
  return (
    <Form submit={t.common.save} onSubmit={save} disabled={Object.keys(changed).length === 0}>
      <Checkbox
        label={texts.enabled}
        hint={texts.enabledHint}
        checked={shown.enabled}
        onChange={(enabled) => change({ enabled })}
      />
      <WindowFields shown={shown} change={change} />
      <NumberFields shown={shown} change={change} />
      <GroupFields shown={shown} change={change} />
    </Form>
  );
}

export function UpdateSettingsSection({ onSaved }: { onSaved: () => void }) {
  const settings = useResource(
    'update-settings',
    async (options) => (await get('v1/agents/updates/settings', {}, options)).data,
    ['account'],
  );
  const saved = async (): Promise<void> => {
    await settings.reload();
    onSaved();
  };
  return (
    <Section title={texts.title}>
      <ResourceView resource={settings}>{(found) => <Fields of={found} onSaved={saved} />}</ResourceView>
    </Section>
  );
}
