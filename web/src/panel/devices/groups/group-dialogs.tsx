/** Creates, renames, reorders and removes groups. */
import { useState } from 'preact/hooks';
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { confirmAction, Dialog, openDialog } from '../../ui/dialog.tsx';
import { Form, TextField } from '../../ui/forms/form.tsx';
import { attempt } from '../../ui/notices.ts';
import { movedBefore } from '../actions/bulk.ts';
import type { DeviceGroup } from '../list/filter.ts';
import { changeFilter, filter } from '../list/list-state.ts';
import { groupList } from '../device-store.ts';

const texts = t.devices.groups;

function GroupNameDialog({ title, group, close }: { title: string; group?: DeviceGroup; close: () => void }) {
  const [name, setName] = useState(group?.name ?? '');
  const send = async (): Promise<void> => {
    if (group) await post('v1/groups/edit', { id: group.id, name });
    else {
      const { id } = await post('v1/groups/create', { name });
      if (!groupList.value.some((each) => each.id === id))
        groupList.value = [...groupList.value, { id, name: name.trim() }];
    }
    close();
  };
  return (
    <Dialog title={title} onClose={close}>
      <Form onSubmit={send} submit={group ? t.common.save : t.common.create}>
        <TextField
          label={t.common.name}
          name="name"
          value={name}
          onInput={setName}
          maxLength={128}
          autofocus
        />
      </Form>
    </Dialog>
  );
}

export const openNewGroup = (): Promise<void> =>
  openDialog((close) => <GroupNameDialog title={texts.create} close={close} />);
export const openRenameGroup = (group: DeviceGroup): Promise<void> =>
  openDialog((close) => <GroupNameDialog title={texts.renameTitle} group={group} close={close} />);

export async function removeGroup({ id, name }: DeviceGroup): Promise<void> {
  const yes = texts.remove;
  if (!(await confirmAction({ title: texts.removeTitle(name), text: texts.removeText, yes }))) return;
  const isGone = await attempt(() => post('v1/groups/remove', { id }));
  if (isGone && filter.value.group === id) changeFilter({ group: 'all' });
}

export async function reorderGroup(group: DeviceGroup, before: DeviceGroup | undefined): Promise<void> {
  const earlier = groupList.value;
  // The list may have been reloaded since the menu was opened.
  const now = (one: DeviceGroup | undefined): DeviceGroup | undefined =>
    earlier.find(({ id }) => id === one?.id);
  const moved = now(group);
  if (!moved) return;
  const next = movedBefore(earlier, moved, now(before));
  if (next.every((each, index) => each === earlier[index])) return;
  groupList.value = next;
  const isDone = await attempt(() => post('groups/order', { ids: next.map(({ id }) => id) }));
  if (!isDone) groupList.value = earlier;
}
