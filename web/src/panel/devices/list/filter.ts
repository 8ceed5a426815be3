/** Filters, sorts and counts devices; fast enough to run on every keystroke. */
import { searchTextOf, type Device } from '../device.ts';
import { foldText } from '../../fold-text.ts';

export interface DeviceGroup {
  id: number;
  name: string;
}

/** `group` is an id, 0 for devices without a group, `all` or `favorites`. */
export interface DeviceFilter {
  search: string;
  group: number | 'all' | 'favorites';
  os: string;
  state: '' | 'online' | 'offline' | 'disabled';
  /** With `offline`: the minimum number of days offline. */
  days: number;
}

export const emptyDeviceFilter: DeviceFilter = { search: '', group: 'all', os: '', state: '', days: 0 };

const day = 86_400;

type Test = (device: Device) => boolean;

export function filterDevices(
  devices: readonly Device[],
  filter: DeviceFilter,
  groups: readonly DeviceGroup[],
  now: number,
): readonly Device[] {
  const tests = testsOf(filter, groups, now);
  return tests.length === 0 ? devices : devices.filter((device) => tests.every((test) => test(device)));
}

function testsOf(filter: DeviceFilter, groups: readonly DeviceGroup[], now: number): Test[] {
  const { group, os, state, days } = filter;
  const tests: Test[] = [];
  if (group === 'favorites') tests.push(({ favorite }) => favorite);
  else if (group !== 'all') tests.push(({ group_id }) => group_id === group);
  if (os !== '') tests.push((device) => device.os === os);
  if (state === 'online') tests.push(({ online }) => online);
  if (state === 'offline') tests.push(({ online, last_time }) => !online && last_time <= now - days * day);
  if (state === 'disabled') tests.push(({ disabled, limited }) => disabled || limited);
  const found = searchOf(filter.search, groups);
  if (found) tests.push(found);
  return tests;
}

/** Every word of the search must match, so an id can also be typed with spaces. */
function searchOf(search: string, groups: readonly DeviceGroup[]): Test | undefined {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const wanted = words.map((word) => ({ word, groups: groupsWith(word, groups) }));
  return (device) => {
    const text = searchTextOf(device);
    return wanted.every((each) => text.includes(each.word) || each.groups.has(device.group_id));
  };
}

const groupsWith = (word: string, groups: readonly DeviceGroup[]): ReadonlySet<number> =>
  new Set(groups.filter(({ name }) => foldText(name).includes(word)).map(({ id }) => id));

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Collation is slow, so a fast approximate sort runs first and leaves it few comparisons. */
const toRoughSortKey = (name: string): string =>
  foldText(name).replace(/\d+/g, (digits) => digits.padStart(12, '0'));

export const presortByName = (devices: readonly Device[]): Device[] =>
  devices
    .map((device) => ({ device, key: toRoughSortKey(device.name) }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ device }) => device);

export const sortByName = (devices: readonly Device[]): Device[] => presortByName(devices).sort(compareNames);

export const compareNames = (one: Device, other: Device): number =>
  collator.compare(one.name, other.name) || one.id - other.id;

/** Favourites first, then online devices; keeps the order by name within each. */
export function sortForList(sortedByName: readonly Device[]): Device[] {
  const buckets: Device[][] = [[], [], [], []];
  for (const device of sortedByName)
    buckets[(device.favorite ? 0 : 2) + (device.online ? 0 : 1)]!.push(device);
  return buckets.flat();
}

export interface DeviceCount {
  all: number;
  online: number;
}

/** Counts the devices per group; the key 0 holds those without a group. */
export function countByGroup(devices: Iterable<Device>): {
  all: DeviceCount;
  favorites: DeviceCount;
  groups: ReadonlyMap<number, DeviceCount>;
} {
  const [all, favorites] = [emptyCount(), emptyCount()];
  const groups = new Map<number, DeviceCount>();
  for (const device of devices) {
    const ofGroup = groups.get(device.group_id) ?? emptyCount();
    groups.set(device.group_id, ofGroup);
    for (const count of device.favorite ? [all, ofGroup, favorites] : [all, ofGroup]) {
      count.all += 1;
      if (device.online) count.online += 1;
    }
  }
  return { all, favorites, groups };
}

const emptyCount = (): DeviceCount => ({ all: 0, online: 0 });

/** The ids between two rows, inclusive, in either direction. */
export function idsBetween(rows: readonly Device[], from: number, to: number): number[] {
  const [a, b] = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)];
  if (a < 0 || b < 0) return [to];
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ id }) => id);
}
