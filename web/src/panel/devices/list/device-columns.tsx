/** The columns of the device list, from which people choose. */
import { t } from '../../texts/index.ts';
import type { Column } from '../../ui/tables/column.ts';
import { RelativeTime } from '../../ui/time.tsx';
import { DeviceActions, SelectBox } from './device-parts.tsx';
import { deviceSortColumns, type DeviceColumn } from './device-sort.ts';
import { OnlineDot, RestrictionBadge, DeviceState } from '../device-state.tsx';
import { groupName } from '../device-store.ts';
import { readableId, type Device } from '../device.ts';
import { osName } from '../os.ts';

const { columns: titles, now } = t.devices;

const idAndOs = ({ device_id, os }: Device): string =>
  [readableId(device_id), osName(os)].filter(Boolean).join(' · ');

const Name = ({ device }: { device: Device }) => (
  <span class="cell-name">
    <SelectBox device={device} />
    <OnlineDot online={device.online} />
    <span class="two-lines">
      <a href={`/panel/devices/${device.id}`}>{device.name}</a>
      <span class="quiet wide-only">{idAndOs(device)}</span>
    </span>
  </span>
);

const Presence = ({ device }: { device: Device }) => (
  <span class="two-lines">
    <span>
      <DeviceState {...device} /> <RestrictionBadge {...device} />
      <span class="narrow-card"> · {idAndOs(device)}</span>
    </span>
    <span class="quiet wide-only">{device.os_user}</span>
  </span>
);

type Look = Omit<Column<Device>, 'title' | 'id' | 'sortBy'>;

/** The widest relative time. */
const widest = '12 minutes ago';
/** Columns that somebody chose are shown whole; with many of them the table is scrolled. */
const byChoice = { wideOnly: true, choice: 'hidden', width: 'minmax(min-content, max-content)' } as const;

/** The columns that are shown at first shrink with the window, so that the buttons stay visible beside them. */
const looks: Record<DeviceColumn, Look> = {
  device: {
    width: 'minmax(clamp(7rem, 22vw - 7rem, 14rem), auto)',
    render: (device) => <Name device={device} />,
  },
  state: {
    choice: 'shown',
    width: 'minmax(clamp(4.5rem, 22vw - 7.5rem, 13rem), max-content)',
    widest: `${t.devices.offlineSeen} ${widest}`,
    render: (device) => <Presence device={device} />,
  },
  group: {
    wideOnly: true,
    choice: 'shown',
    width: 'minmax(clamp(3rem, 16vw - 7rem, 8rem), max-content)',
    render: ({ group_id }) => groupName(group_id),
  },
  address: { ...byChoice, render: ({ ip }) => ip },
  version: { ...byChoice, render: ({ version }) => version },
  seen: {
    ...byChoice,
    widest,
    render: ({ online, last_time }) => (online ? now : <RelativeTime time={last_time} />),
  },
  user: { ...byChoice, render: ({ os_user }) => os_user },
  system: { ...byChoice, render: ({ os }) => osName(os) },
  id: { ...byChoice, widest: readableId(123_456_789), render: ({ device_id }) => readableId(device_id) },
  added: { ...byChoice, widest, render: ({ link_time }) => <RelativeTime time={link_time} /> },
};

export const deviceColumns: readonly Column<Device>[] = [
  ...deviceSortColumns(groupName).map(({ id, sortBy }) => ({ id, sortBy, title: titles[id], ...looks[id] })),
  { title: '', width: 'max-content', render: (device) => <DeviceActions device={device} /> },
];
