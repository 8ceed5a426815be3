/** The device list as a table. */
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { type Column } from '../../ui/tables/column.ts';
import { DeviceActions, dragDevice, SelectBox } from './device-parts.tsx';
import { readableId, type Device } from '../device.ts';
import { osName } from '../os.ts';
import { OnlineDot, RestrictionBadge, DeviceState } from '../device-state.tsx';
import { groupName } from '../device-store.ts';

const { columns: titles, table } = t.devices;

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

const columns: readonly Column<Device>[] = [
  { title: titles.device, width: 'minmax(0, 2.1fr)', render: (device) => <Name device={device} /> },
  { title: titles.state, width: 'minmax(0, 1.35fr)', render: (device) => <Presence device={device} /> },
  {
    title: titles.group,
    width: 'minmax(0, 1.25fr)',
    wideOnly: true,
    render: ({ group_id }) => groupName(group_id),
  },
  { title: '', width: '186px', render: (device) => <DeviceActions device={device} /> },
];

const idOf = ({ id }: Device): number => id;
const open = ({ id }: Device): void => navigate(`/panel/devices/${id}`);

export const DeviceTable = ({ devices }: { devices: readonly Device[] }) => (
  <DataTable
    label={table}
    columns={columns}
    rows={devices}
    keyOf={idOf}
    onOpen={open}
    onDrag={dragDevice}
    maxUnvirtualized={30}
  />
);
