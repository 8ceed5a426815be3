/** The list of devices: what a search finds, what filters keep, and how it is sorted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableId, toDevices, type Device } from '@drawbridge/web/panel/devices/device';
import {
  sortByName,
  countByGroup,
  filterDevices,
  sortForList,
  emptyDeviceFilter,
  idsBetween,
  type DeviceFilter,
} from '@drawbridge/web/panel/devices/list/filter';
import { toDeviceFilter, toDeviceQuery } from '@drawbridge/web/panel/devices/list/filter-query';
import { startStopwatch } from '../../../kit/stopwatch.ts';

const now = 1_700_000_000;
const groups = [
  { id: 5, name: 'Werkstätte' },
  { id: 6, name: 'Büro' },
];

let lastId = 0;
function device(some: Partial<Device> = {}): Device {
  const id = some.id ?? (lastId += 1);
  const listed = {
    id,
    device_id: 123_456_000 + id,
    name: `device ${id}`,
    os: 'linux',
    os_user: '',
    group_id: 0,
    online: false,
    last_time: now,
    link_time: now,
    favorite: false,
    disabled: false,
    limited: false,
    ip: '',
    country: '',
    version: '',
    ...some,
    rights: 0,
  };
  return toDevices({ rights: [['agent_connect']], data: [listed] })[0]!;
}

const found = (devices: readonly Device[], filter: Partial<DeviceFilter>): string[] =>
  filterDevices(devices, { ...emptyDeviceFilter, ...filter }, groups, now).map(({ name }) => name);

test('a device is found by its name, ID, address, user, group and system', () => {
  const desk = device({ name: 'desk', device_id: 987_654_321, ip: '10.1.2.3', os_user: 'ann', group_id: 5 });
  const other = device({ name: 'lamp', os: 'win' });
  const devices = [desk, other];

  for (const search of [
    'desk',
    'DES',
    '987654321',
    '987 654 321',
    '654 3',
    '10.1.2',
    'ann',
    'werkst',
    'Linux',
    'ann desk',
  ])
    assert.deepEqual(found(devices, { search }), ['desk'], search);
  assert.deepEqual(found(devices, { search: 'windows' }), ['lamp']);
  assert.deepEqual(found(devices, { search: 'desk windows' }), []);
  assert.deepEqual(found(devices, { search: '  ' }), ['desk', 'lamp']);
});

test('a search matches letters of any script in any case, width and spelling', () => {
  const pairs = [
    ['STRASSE 9', 'straße'],
    ['Straße', 'STRASSE'],
    ['ÅNGSTRÖM', 'ångström'],
    ['ΟΔΟΣΑ', 'οδοσ'],
    ['οδος', 'ΟΔΟΣ'],
    ['İstanbul', 'istanbul'],
    ['Київ-1', 'КИЇВ'],
    ['ＰＣ－７', 'pc-7'],
    ['サーバー', 'サーバ'],
    ['e\u0301cole', 'ÉCOLE'],
  ] as const;

  for (const [name, search] of pairs) assert.deepEqual(found([device({ name })], { search }), [name], search);
});

test('filters keep the devices of a system, a group, a state, or those that were offline for some days', () => {
  const day = 86_400;
  const devices = [
    device({ name: 'on', online: true, last_time: now - 90 * day, os: 'win', group_id: 6 }),
    device({ name: 'week', last_time: now - 8 * day, favorite: true }),
    device({ name: 'hour', last_time: now - 3_600, limited: true }),
    device({ name: 'blocked', last_time: now - 40 * day, disabled: true, group_id: 6 }),
  ];

  assert.deepEqual(found(devices, { os: 'win' }), ['on']);
  assert.deepEqual(found(devices, { group: 6 }), ['on', 'blocked']);
  assert.deepEqual(found(devices, { group: 0 }), ['week', 'hour']);
  assert.deepEqual(found(devices, { group: 'favorites' }), ['week']);
  assert.deepEqual(found(devices, { state: 'online' }), ['on']);
  assert.deepEqual(found(devices, { state: 'offline' }), ['week', 'hour', 'blocked']);
  assert.deepEqual(found(devices, { state: 'offline', days: 7 }), ['week', 'blocked']);
  assert.deepEqual(found(devices, { state: 'disabled' }), ['hour', 'blocked']);
  assert.deepEqual(found(devices, { state: 'offline', days: 30, group: 6, search: 'block' }), ['blocked']);
});

test('favourites come first, then online devices, then all by name, with numbers in numeric order', () => {
  const devices = [
    device({ name: 'pc 10' }),
    device({ name: 'PC 9' }),
    device({ name: 'ärzte' }),
    device({ name: 'zoo', online: true }),
    device({ name: 'b', favorite: true }),
    device({ name: 'c', favorite: true, online: true }),
  ];

  const names = sortForList(sortByName(devices)).map(({ name }) => name);

  assert.deepEqual(names, ['c', 'b', 'zoo', 'ärzte', 'PC 9', 'pc 10']);
});

test('each group shows how many devices it holds and how many of them are online', () => {
  const {
    all,
    favorites,
    groups: ofGroups,
  } = countByGroup([
    device({ group_id: 5, online: true, favorite: true }),
    device({ group_id: 5 }),
    device({ online: true }),
  ]);

  assert.deepEqual(all, { all: 3, online: 2 });
  assert.deepEqual(favorites, { all: 1, online: 1 });
  assert.deepEqual(
    [ofGroups.get(5), ofGroups.get(0), ofGroups.get(6)],
    [{ all: 2, online: 1 }, { all: 1, online: 1 }, undefined],
  );
});

test('a range extends from one row to the other, in either direction', () => {
  const rows = [1, 2, 3, 4].map((id) => device({ id }));

  assert.deepEqual(idsBetween(rows, 2, 4), [2, 3, 4]);
  assert.deepEqual(idsBetween(rows, 4, 2), [2, 3, 4]);
  assert.deepEqual(idsBetween(rows, 99, 3), [3]);
});

test('a filter survives in the address, and a malformed address filters nothing', () => {
  const filter: DeviceFilter = { search: 'a b', group: 6, os: 'mac', state: 'offline', days: 30 };

  assert.deepEqual(toDeviceFilter(new URLSearchParams(toDeviceQuery(filter))), filter);
  assert.deepEqual(toDeviceFilter(new URLSearchParams('group=-1&state=x&days=1e9')), emptyDeviceFilter);
});

test('an ID is shown in groups of three digits', () => {
  assert.equal(readableId(123_456_789), '123 456 789');
});

test('searching and sorting 10,000 devices takes less time than the gap between two keystrokes', () => {
  const devices = Array.from({ length: 10_000 }, (_, at) =>
    device({
      name: `Gerät ${(at * 7_919) % 10_000}`,
      ip: `10.0.${at >> 8}.${at & 255}`,
      online: at % 3 === 0,
    }),
  );
  const sorted = sortByName(devices);

  using watch = startStopwatch();
  const hits = filterDevices(sortForList(sorted), { ...emptyDeviceFilter, search: 'gerät 99' }, groups, now);
  const took = watch.ms();

  assert.ok(hits.length > 100);
  assert.ok(took < 100, `${took} ms`);
});
