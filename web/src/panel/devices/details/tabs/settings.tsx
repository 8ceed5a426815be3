/** The tab that changes the name, group, policy and updates of a device and unlinks it from the account. */
import { useState } from 'preact/hooks';
import { post } from '../../../api.ts';
import { navigate } from '../../../router.ts';
import { t } from '../../../texts/index.ts';
import { TextButton } from '../../../ui/button.tsx';
import { Form, Select, TextField } from '../../../ui/forms/form.tsx';
import { Section } from '../../../ui/layout.tsx';
import { showNotice } from '../../../ui/notices.ts';
import { moveToGroup, unlinkDevice } from '../../actions/actions.tsx';
import { may, editableGroups } from '../../rights.ts';
import type { TabProps } from '../device-details.ts';
import { groupList, useGroupList } from '../../device-store.ts';
import { DevicePolicy } from '../../../policies/device-policy.tsx';
import { UpdatePin } from '../update-pin.tsx';

const texts = t.device.settings;

function NameAndGroup({ device, reload }: TabProps) {
  useGroupList();
  // Only changed fields are sent, so that concurrent changes to the others are kept.
  const [changed, setChanged] = useState<{ name?: string; group?: number }>({});
  const open = editableGroups();
  const own = groupList.value.filter(
    ({ id }) => id === device.group_id && !open.some((each) => each.id === id),
  );
  const options = [
    { value: '0', text: t.devices.noGroup },
    ...[...own, ...open].map(({ id, name: text }) => ({ value: String(id), text })),
  ];
  const send = async (): Promise<void> => {
    if (changed.name !== undefined) await post('v1/agents/update', { id: device.id, name: changed.name });
    if (changed.group !== undefined) await moveToGroup(device.id, changed.group);
    await reload();
    setChanged({});
    showNotice(t.common.saved);
  };
  return (
    <Section title={texts.name}>
      <Form onSubmit={send} submit={t.common.save} disabled={Object.keys(changed).length === 0}>
        <TextField
          label={t.common.name}
          name="name"
          value={changed.name ?? device.name}
          onInput={(name) => setChanged({ ...changed, name })}
          maxLength={128}
        />
        <Select
          label={t.devices.group}
          name="id"
          value={String(changed.group ?? device.group_id)}
          onChange={(group) => setChanged({ ...changed, group: Number(group) })}
          options={options}
        />
      </Form>
    </Section>
  );
}

const Unlink = ({ device }: TabProps) => (
  <Section title={texts.unlinkTitle} lead={t.devices.one.unlinkText}>
    <div>
      <TextButton
        look="danger"
        onClick={() =>
          void unlinkDevice(device).then((gone) => gone && navigate('/panel/devices', { replace: true }))
        }
      >
        {t.devices.unlink}
      </TextButton>
    </div>
  </Section>
);

export function SettingsTab(props: TabProps) {
  const [mayChange, mayUnlink] = [
    may(props.device, 'agent_change_settings'),
    may(props.device, 'agent_logout'),
  ];
  return (
    <div class="columns">
      {mayChange && <NameAndGroup {...props} />}
      {mayChange && <DevicePolicy {...props} />}
      {mayChange && <UpdatePin {...props} />}
      {mayUnlink && <Unlink {...props} />}
    </div>
  );
}
