/** Moves devices into another group, chosen in a dialog or by drag and drop. */
import { useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, Select } from '../../ui/forms/form.tsx';
import { moveToGroup } from '../actions/actions.tsx';
import { runBulkAction } from '../actions/bulk-dialog.tsx';
import type { Device } from '../device.ts';
import { editableGroups } from '../rights.ts';
import { patchDevice } from '../device-store.ts';

const texts = t.devices;

/** Skips devices that are already in the group. */
export const moveDevices = (devices: readonly Device[], groupId: number): Promise<void> =>
  runBulkAction({
    title: texts.many.move(devices.length),
    devices: devices.filter(({ group_id }) => group_id !== groupId),
    needs: 'agent_change_settings',
    act: async ({ id }) => {
      await moveToGroup(id, groupId);
      patchDevice(id, { group_id: groupId });
    },
  });

function MoveDialog({ devices, close }: { devices: readonly Device[]; close: () => void }) {
  const [groupId, setGroupId] = useState(String(devices[0]?.group_id ?? 0));
  const options = [
    { value: '0', text: texts.noGroup },
    ...editableGroups().map(({ id, name }) => ({ value: String(id), text: name })),
  ];
  const send = async (): Promise<void> => {
    close();
    await moveDevices(devices, Number(groupId));
  };
  return (
    <Dialog title={texts.many.move(devices.length)} onClose={close}>
      <Form onSubmit={send} submit={texts.moveHere}>
        <Select label={texts.group} name="group" value={groupId} onChange={setGroupId} options={options} />
      </Form>
    </Dialog>
  );
}

export const openMoveDialog = (devices: readonly Device[]): Promise<void> =>
  openDialog((close) => <MoveDialog devices={devices} close={close} />);
