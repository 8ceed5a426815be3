/** What the user may do with devices and groups: the panel offers only that, and the server checks again. */
import { computed } from '@preact/signals';
import type { AgentPermission } from '@drawbridge/contract/permissions';
import { mayInTeam, signedInUser } from '../current-user.ts';
import type { Device } from './device.ts';
import { devicesById, groupList } from './device-store.ts';
import type { DeviceGroup } from './list/filter.ts';

export const may = (device: Pick<Device, 'rights'>, permission: AgentPermission): boolean =>
  device.rights.has(permission);

export const mayChangeGroup = (id: number): boolean => signedInUser.value.group_admin.includes(id);

export const mayNotifyOfGroup = (id: number): boolean => signedInUser.value.group_notify.includes(id);

/** The groups with a device to which the user cannot connect. */
const closedGroups = computed(
  () =>
    new Set(
      [...devicesById.value.values()]
        .filter((device) => !may(device, 'agent_connect'))
        .map(({ group_id }) => group_id),
    ),
);

/** Offered only where there is something to ask for. */
export const mayAskForGroup = (id: number): boolean => closedGroups.value.has(id);

export const mayAddDevices = (): boolean => mayInTeam('team_permanent_access');

/** The groups into which the user may move devices. */
export const editableGroups = (): readonly DeviceGroup[] =>
  groupList.value.filter(({ id }) => mayChangeGroup(id));

/** All users share one order of groups, so changing it requires the permission on every group. */
export const mayOrderGroups = (): boolean =>
  groupList.value.length > 1 && groupList.value.every(({ id }) => mayChangeGroup(id));
