/** The values by which the device list is sorted, by the id of the column. */
import type { Device } from '../device.ts';
import { osName } from '../os.ts';

const latest = Number.MAX_SAFE_INTEGER;

/** Online devices are seen now. */
const seenTime = ({ online, last_time }: Device): number => (online ? latest : last_time);

const sortKeys = {
  device: ({ name }) => name,
  /** Online devices first, then those that were seen last. */
  state: (device) => -seenTime(device),
  group: ({ group_id }, groupName) => groupName(group_id),
  address: ({ ip }) => ip,
  version: ({ version }) => version,
  seen: seenTime,
  user: ({ os_user }) => os_user,
  system: ({ os }) => osName(os),
  id: ({ device_id }) => device_id,
  added: ({ link_time }) => link_time,
} satisfies Record<string, (device: Device, groupName: (id: number) => string) => string | number>;

export type DeviceColumn = keyof typeof sortKeys;

export interface DeviceSortColumn {
  id: DeviceColumn;
  sortBy: (device: Device) => string | number;
}

export const deviceSortColumns = (groupName: (id: number) => string): DeviceSortColumn[] =>
  (Object.keys(sortKeys) as DeviceColumn[]).map((id) => ({
    id,
    sortBy: (device) => sortKeys[id](device, groupName),
  }));
