/** Actions on one device: each asks for confirmation where needed and reports the result. */
import { post } from '../../api.ts';
import { t } from '../../texts/index.ts';
import { confirmAction } from '../../ui/dialog.tsx';
import { attempt } from '../../ui/notices.ts';
import type { Device } from '../device.ts';
import { patchDevice } from '../device-store.ts';

const texts = t.devices.one;

export type NamedDevice = Pick<Device, 'id' | 'name'>;

export const setFavorite = (id: number, favorite: boolean): Promise<unknown> => {
  patchDevice(id, { favorite });
  return post('v1/agents/favorite', { id, favorite }).catch((error: unknown) => {
    patchDevice(id, { favorite: !favorite });
    throw error;
  });
};

export const toggleFavorite = ({ id, favorite }: Pick<Device, 'id' | 'favorite'>): Promise<boolean> =>
  attempt(() => setFavorite(id, !favorite));

export const moveToGroup = (agentId: number, groupId: number): Promise<unknown> =>
  groupId === 0
    ? post('v1/groups/agent/remove', { agent_id: agentId })
    : post('v1/groups/agent/insert', { id: groupId, agent_id: agentId });

export const wakeDevice = ({ id, name }: NamedDevice): Promise<boolean> =>
  attempt(() => post('v1/agents/wake', { id }), texts.wakeDone(name));

export async function rebootDevice({ id, name }: NamedDevice, safe: boolean): Promise<void> {
  const yes = safe ? t.devices.rebootSafe : t.devices.reboot;
  if (await confirmAction({ title: texts.rebootTitle(name), text: texts.rebootText, yes }))
    await attempt(() => post('v1/agents/reboot', { id, safe }), texts.rebootDone(name));
}

export async function lockDevice({ id, name }: NamedDevice): Promise<void> {
  const yes = t.devices.lock;
  if (await confirmAction({ title: texts.lockTitle(name), text: texts.lockText, yes, look: 'primary' }))
    await attempt(() => post('v1/agents/lock', { id }), texts.lockDone(name));
}

/** Resolves to true if the device was unlinked. */
export async function unlinkDevice({ id, name }: NamedDevice): Promise<boolean> {
  const yes = t.devices.unlink;
  if (!(await confirmAction({ title: texts.unlinkTitle(name), text: texts.unlinkText, yes }))) return false;
  return attempt(() => post('v1/agents/logout', { id }), texts.unlinkDone(name));
}
