/** The device list as a table. */
import { navigate } from '../../router.ts';
import { t } from '../../texts/index.ts';
import { DataTable } from '../../ui/tables/table.tsx';
import { deviceColumns } from './device-columns.tsx';
import { dragDevice } from './device-parts.tsx';
import type { Device } from '../device.ts';
import { deviceTable } from './list-state.ts';

const idOf = ({ id }: Device): number => id;
const nameOf = ({ name }: Device): string => name;
const open = ({ id }: Device): void => navigate(`/panel/devices/${id}`);

export const DeviceTable = ({ devices }: { devices: readonly Device[] }) => (
  <DataTable
    label={t.devices.table}
    name={deviceTable}
    columns={deviceColumns}
    rows={devices}
    isSorted
    keyOf={idOf}
    titleOf={nameOf}
    onOpen={open}
    onDrag={dragDevice}
    maxUnvirtualized={30}
  />
);
