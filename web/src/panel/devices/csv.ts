/** The list of devices as a table for spreadsheets (RFC 4180), in which nothing a device told is taken for a formula. */
import { readableId, type Device } from './device.ts';
import type { Group } from './filter.ts';
import { osName } from './os.ts';

/**
 * What a spreadsheet reads as the beginning of a formula: at the start of a cell, and also after a sign that ends a cell in
 * some countries' spreadsheets, whatever quotes stand around it.
 */
const formula = /(?<=^|[;\t\r\n])(?="*[=+\-@\t\r＝＋－＠])/g;

const cellOf = (value: string): string => {
  const safe = value.replace(formula, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const lineOf = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

export interface CsvWords {
  /** Name, ID, group, system, user, state, last seen, added, address, country, version. */
  head: readonly string[];
  stateOf(device: Device): string;
}

/** Tells spreadsheets that the text is UTF-8. */
const byteOrderMark = '\ufeff';

const timeOf = (unixtime: number): string => (unixtime > 0 ? new Date(unixtime * 1_000).toISOString() : '');

export function devicesCsv(devices: readonly Device[], groups: readonly Group[], words: CsvWords): string {
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const lines = devices.map((device) =>
    lineOf([
      device.name,
      readableId(device.device_id),
      names.get(device.group_id) ?? '',
      osName(device.os),
      device.os_user,
      words.stateOf(device),
      timeOf(device.last_time),
      timeOf(device.link_time),
      device.ip,
      device.country,
      device.version,
    ]),
  );
  return byteOrderMark + lineOf(words.head) + lines.join('');
}
