/** Which devices are shown and in which order: quick enough to be done anew with every letter that is typed. */
import type { Device } from './device.ts';
import { foldText } from '../fold-text.ts';

export interface DeviceGroup {
  id: number;
  name: string;
}

/** `group`: an id, 0 for those in none, `all` or `favorites`. */
export interface DeviceFilter {
  search: string;
  group: number | 'all' | 'favorites';
  os: string;
  state: '' | 'online' | 'offline' | 'disabled';
  /** With `offline`: for at least so many days. */
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

/** Every word of the search has to be found; so an ID is found with spaces in it too. */
function searchOf(search: string, groups: readonly DeviceGroup[]): Test | undefined {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const wanted = words.map((word) => ({ word, groups: groupsWith(word, groups) }));
  return ({ text, group_id }) =>
    wanted.every((each) => text.includes(each.word) || each.groups.has(group_id));
}

const groupsWith = (word: string, groups: readonly DeviceGroup[]): ReadonlySet<number> =>
  new Set(groups.filter(({ name }) => foldText(name).includes(word)).map(({ id }) => id));

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Comparing as people do is slow; a quick order that is nearly the same is made first, so that little is left to do. */
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

/** Favourites first, then those that are online; the order by name stays within each. */
export function sortForList(sortedByName: readonly Device[]): Device[] {
  const places: Device[][] = [[], [], [], []];
  for (const device of sortedByName)
    places[(device.favorite ? 0 : 2) + (device.online ? 0 : 1)]!.push(device);
  return places.flat();
}

export interface DeviceCount {
  all: number;
  online: number;
}

/** How many devices each group holds; under 0 those in none. */
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

/** The ids from one row to another, both with them, whichever comes first. */
export function idsBetween(rows: readonly Device[], from: number, to: number): number[] {
  const [a, b] = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)];
  if (a < 0 || b < 0) return [to];
  return rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ id }) => id);
}
