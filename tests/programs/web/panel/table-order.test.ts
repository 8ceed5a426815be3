/** Tables of the panel: how rows are sorted, which columns are shown, and what stored choices mean. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceSortColumns } from '@drawbridge/web/panel/devices/list/device-sort';
import { toDevices, type Device } from '@drawbridge/web/panel/devices/device';
import type { Column } from '@drawbridge/web/panel/ui/tables/column';
import {
  widestText,
  nextSort,
  readPreferences,
  shownColumns,
  sortRows,
  toggleColumn,
} from '@drawbridge/web/panel/ui/tables/table-order';
import { startStopwatch } from '../../../kit/stopwatch.ts';

interface Row {
  name: string;
  size: number;
}

const render = (): string => '';
const columns: readonly Column<Row>[] = [
  { title: 'Name', id: 'name', sortBy: ({ name }) => name, render },
  { title: 'Size', id: 'size', sortBy: ({ size }) => size, choice: 'shown', render },
  { title: 'Other', id: 'other', choice: 'hidden', render },
  { title: '', render },
];
const rows: readonly Row[] = [
  { name: 'pc 10', size: 2 },
  { name: '', size: 0 },
  { name: 'PC 9', size: 2 },
  { name: 'élan', size: 1 },
];
const names = (column: string, descending: boolean): string[] =>
  sortRows(rows, columns, { column, descending }).map(({ name }) => name);

test('texts are sorted as people read them, and rows without a text come last in both directions', () => {
  assert.deepEqual(names('name', false), ['élan', 'PC 9', 'pc 10', '']);
  assert.deepEqual(names('name', true), ['pc 10', 'PC 9', 'élan', '']);
});

test('numbers are sorted by size, and equal rows keep their order in both directions', () => {
  assert.deepEqual(names('size', false), ['', 'élan', 'pc 10', 'PC 9']);
  assert.deepEqual(names('size', true), ['pc 10', 'PC 9', 'élan', '']);
});

test('without an order, or by a column that does not exist or cannot be sorted, rows stay as they are', () => {
  assert.equal(sortRows(rows, columns, undefined), rows);
  for (const column of ['other', 'nothing', ''])
    assert.equal(sortRows(rows, columns, { column, descending: false }), rows, column);
});

test('a heading sorts upwards, downwards, and then not at all', () => {
  const up = nextSort(undefined, 'name');
  const down = nextSort(up, 'name');

  assert.deepEqual(up, { column: 'name', descending: false });
  assert.deepEqual(down, { column: 'name', descending: true });
  assert.equal(nextSort(down, 'name'), undefined);
  assert.deepEqual(nextSort(down, 'size'), { column: 'size', descending: false });
});

test('people choose columns; those without a choice are always shown', () => {
  const shown = (chosen?: readonly string[]): string[] =>
    shownColumns(columns, { columns: chosen }).map(({ title }) => title);

  assert.deepEqual(shown(), ['Name', 'Size', '']);
  assert.deepEqual(shown([]), ['Name', '']);
  assert.deepEqual(shown(['other', 'gone']), ['Name', 'Other', '']);
  assert.deepEqual(toggleColumn(columns, {}, 'other'), ['size', 'other']);
  assert.deepEqual(toggleColumn(columns, { columns: ['size', 'other'] }, 'size'), ['other']);
});

test('stored choices that make no sense are ignored', () => {
  for (const stored of [null, '', 'x', '[]', '7', 'null', '{"sort":{"column":7},"columns":"x"}']) {
    const { sort, columns: chosen, dense } = readPreferences(stored);
    assert.deepEqual([sort, chosen, dense ?? false], [undefined, undefined, false], String(stored));
  }
  assert.deepEqual(readPreferences('{"sort":{"column":"a"},"columns":["b",7],"dense":true}'), {
    sort: { column: 'a', descending: false },
    columns: ['b'],
    dense: true,
  });
});

test('the longest text sets the width of a column, but no more than forty characters of it', () => {
  const [name] = columns;
  assert.equal(widestText(name!, rows), 'pc 10');
  assert.equal(widestText(name!, [{ name: 'x'.repeat(500), size: 0 }]).length, 40);
  assert.equal(widestText(columns[1]!, rows), '');
  assert.equal(widestText({ ...columns[1]!, widest: 'wide' }, rows), 'wide');
});

const groupNames = new Map([
  [5, 'Workshop'],
  [6, 'Office'],
]);
const sortColumns = deviceSortColumns((id) => groupNames.get(id) ?? '');

function device(id: number, some: Partial<Device>): Device {
  const base = { device_id: id, name: `device ${id}`, os: 'linux', os_user: '', group_id: 0, online: false };
  const times = { last_time: 100, link_time: id };
  const plan = { favorite: false, disabled: false, limited: false };
  const listed = { id, ...base, ...times, ...plan, ip: '', country: '', version: '', ...some, rights: 0 };
  return toDevices({ rights: [[]], data: [listed] })[0]!;
}

test('the device list is sorted by each of its columns', () => {
  const devices = [
    device(1, { name: 'b', ip: '10.0.0.10', version: '1.10.0', os_user: 'zoe', group_id: 5, last_time: 300 }),
    device(2, { name: 'a', ip: '10.0.0.9', version: '1.9.0', os: 'win', group_id: 6, online: true }),
    device(3, { name: 'c', ip: '', version: '', os_user: 'ann', os: 'mac', last_time: 200 }),
  ];
  const order = (column: string, descending = false): number[] =>
    sortRows(devices, sortColumns, { column, descending }).map(({ id }) => id);

  assert.deepEqual(order('device'), [2, 1, 3]);
  assert.deepEqual(order('state'), [2, 1, 3]);
  assert.deepEqual(order('group'), [2, 1, 3]);
  assert.deepEqual(order('address'), [2, 1, 3]);
  assert.deepEqual(order('version', true), [1, 2, 3]);
  assert.deepEqual(order('seen'), [3, 1, 2]);
  assert.deepEqual(order('user'), [3, 1, 2]);
  assert.deepEqual(order('system'), [1, 3, 2]);
  assert.deepEqual(order('id', true), [3, 2, 1]);
  assert.deepEqual(order('added'), [1, 2, 3]);
});

test('ten thousand devices are sorted within a second, by every column', () => {
  const devices = Array.from({ length: 10_000 }, (_, at) =>
    device(at + 1, { name: `Wörkplace ${(at * 7919) % 10_000}`, ip: `10.0.${at % 200}.${at % 250}` }),
  );
  using stopwatch = startStopwatch();

  for (const { id: column } of sortColumns) sortRows(devices, sortColumns, { column, descending: true });

  assert.ok(stopwatch.ms() < 1_000 * sortColumns.length, `${stopwatch.ms()} ms`);
});
