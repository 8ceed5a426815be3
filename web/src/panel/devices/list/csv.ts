/** Exports the list of devices as CSV. */
import { byteOrderMark, csvLine } from '@drawbridge/contract/csv';
import { readableId, type Device } from '../device.ts';
import type { DeviceGroup } from './filter.ts';
import { osName } from '../os.ts';

export interface CsvTexts {
  /** Name, ID, group, system, user, state, last seen, added, address, country, version. */
  head: readonly string[];
  stateOf(device: Device): string;
}

const timeOf = (unixtime: number): string => (unixtime > 0 ? new Date(unixtime * 1_000).toISOString() : '');

export function devicesCsv(
  devices: readonly Device[],
  groups: readonly DeviceGroup[],
  texts: CsvTexts,
): string {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const lines = devices.map((device) =>
    csvLine([
      device.name,
      readableId(device.device_id),
      names.get(device.group_id) ?? '',
      osName(device.os),
      device.os_user,
      texts.stateOf(device),
      timeOf(device.last_time),
      timeOf(device.link_time),
      device.ip,
      device.country,
      device.version,
    ]),
  );
  return byteOrderMark + csvLine(texts.head) + lines.join('');
}
