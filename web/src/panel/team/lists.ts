/** The lists of the team: searched, filtered, sorted and counted. */
import { roleTypes, type RoleType } from '@drawbridge/contract/permissions';
import { foldText } from '../fold-text.ts';
import type { EffectiveRights, GrantEntry, NamedItem, DeviceHolder, Person, TeamRole } from './team-data.ts';

/** Whether every word that is searched for stands somewhere in the text. */
export function matchesSearch(text: string, search: string): boolean {
  const folded = foldText(text);
  return foldText(search)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** Made once: it is asked a hundred thousand times where there is much to sort. */
const collator = new Intl.Collator(undefined, { numeric: true });
const byName = (one: string, other: string): number => collator.compare(one, other);

export const sortedByName = <Item extends NamedItem>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => byName(one.name, other.name) || one.id - other.id);

/** Those of a list that are not among some. */
export function excluding<Item extends NamedItem>(some: readonly NamedItem[], all: readonly Item[]): Item[] {
  const known = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !known.has(id));
}

export type PersonState = 'owner' | 'active' | 'invited';
export const toPersonState = ({ owner, state }: Person): PersonState => (owner ? 'owner' : state);

export interface PeopleFilter {
  search: string;
  /** Empty for any. */
  state: string;
  /** The number of a department; empty for any. */
  department: string;
}

/** The owner first, then by address. */
export const filterPeople = (
  people: readonly Person[],
  { search, state, department }: PeopleFilter,
): Person[] =>
  people
    .filter(
      (person) =>
        matchesSearch(person.email, search) &&
        (state === '' || person.state === state) &&
        (department === '' || person.departments.some(({ id }) => String(id) === department)),
    )
    .toSorted((one, other) => Number(other.owner) - Number(one.owner) || byName(one.email, other.email));

/** The roles of each type, built-in ones first; types without any are left out. */
export const rolesByType = (
  roles: readonly TeamRole[],
  search: string,
): { type: RoleType; roles: TeamRole[] }[] =>
  roleTypes
    .map((type) => ({
      type,
      roles: sortedByName(
        roles.filter((role) => role.type === type && matchesSearch(role.name, search)),
      ).toSorted((one, other) => Number(other.default) - Number(one.default)),
    }))
    .filter((each) => each.roles.length > 0);

/** By whom, then by role. */
export const sortedEntries = (entries: readonly GrantEntry[]): GrantEntry[] =>
  entries.toSorted(
    (one, other) =>
      byName(one.email ?? one.department ?? '', other.email ?? other.department ?? '') ||
      byName(one.role, other.role) ||
      byName(one.agent ?? one.group ?? '', other.agent ?? other.group ?? ''),
  );

/** Tells one grant from another. */
export const entryKey = ({ role_id, email, department_id, agent_id, group_id }: GrantEntry): string =>
  [role_id, email ?? '', department_id ?? '', agent_id ?? '', group_id ?? ''].join('|');

/** Those who may do something on a device: the owner first, then those who may do most. */
export const sortedHolders = (people: readonly DeviceHolder[]): DeviceHolder[] =>
  people
    .filter(({ owner, permissions }) => owner || permissions.length > 0)
    .toSorted(
      (one, other) =>
        Number(other.owner) - Number(one.owner) ||
        other.permissions.length - one.permissions.length ||
        byName(one.email, other.email),
    );

export interface DevicePermissions {
  id: number;
  name: string;
  group: string;
  permissions: EffectiveRights['rights'][number];
}

/** What a person may do on each device that fits the search. */
export const filterDeviceRights = (
  { devices, rights }: Pick<EffectiveRights, 'devices' | 'rights'>,
  groups: ReadonlyMap<number, string>,
  search: string,
): DevicePermissions[] =>
  sortedByName(devices)
    .map(({ id, name, group_id, rights: set }) => ({
      id,
      name,
      group: groups.get(group_id) ?? '',
      permissions: rights[set] ?? [],
    }))
    .filter((device) => matchesSearch(`${device.name} ${device.group}`, search));

/** The first of a long list, and how many more there are. */
export const takeFirst = <Item>(
  items: readonly Item[],
  most: number,
): { shown: readonly Item[]; more: number } => ({
  shown: items.slice(0, most),
  more: Math.max(0, items.length - most),
});
