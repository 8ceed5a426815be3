/** What one may do with a device, so that nothing else is offered; the server decides again. */
import type { AgentPermission } from '@drawbridge/contract/permissions';
import { mayInTeam, signedInUser } from '../current-user.ts';
import type { Device } from './device.ts';
import { groupList } from './device-store.ts';
import type { DeviceGroup } from './filter.ts';

export const may = (device: Pick<Device, 'rights'>, permission: AgentPermission): boolean =>
  device.rights.has(permission);

export const mayChangeGroup = (id: number): boolean => signedInUser.value.group_admin.includes(id);

export const mayAddDevices = (): boolean => mayInTeam('team_permanent_access');

/** The groups that devices can be put into. */
export const editableGroups = (): readonly DeviceGroup[] =>
  groupList.value.filter(({ id }) => mayChangeGroup(id));

/** Their order is one for all: whoever changes it needs a right on each of them. */
export const mayOrderGroups = (): boolean =>
  groupList.value.length > 1 && groupList.value.every(({ id }) => mayChangeGroup(id));
