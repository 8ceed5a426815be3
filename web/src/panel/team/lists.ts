/** Searches, filters and sorts the lists of the team. */
import { roleTypes, type RoleType } from '@drawbridge/contract/permissions';
import { foldText } from '../fold-text.ts';
import type { EffectiveRights, GrantEntry, NamedItem, DeviceHolder, Person, TeamRole } from './team-data.ts';

/** Whether the text contains every word of the search. */
export function matchesSearch(text: string, search: string): boolean {
  const folded = foldText(text);
  return foldText(search)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** Created once, because sorting a long list calls it a hundred thousand times. */
const collator = new Intl.Collator(undefined, { numeric: true });
const byName = (one: string, other: string): number => collator.compare(one, other);

export const sortedByName = <Item extends NamedItem>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => byName(one.name, other.name) || one.id - other.id);

/** The items of `all` that are not in `some`. */
export function excluding<Item extends NamedItem>(some: readonly NamedItem[], all: readonly Item[]): Item[] {
  const known = new Set(some.map(({ id }) => id));
  return all.filter(({ id }) => !known.has(id));
}

export type PersonState = 'owner' | 'active' | 'invited' | 'disabled';
export const toPersonState = ({ owner, state }: Person): PersonState => (owner ? 'owner' : state);

export interface PeopleFilter {
  search: string;
  /** Empty for any. */
  state: string;
  /** The id of a department; empty for any. */
  department: string;
}

/** A person by what is shown first of them. */
const sortName = ({ name, email }: Pick<GrantEntry, 'name' | 'email'>): string => name || email || '';

/** Sorted with the owner first, then by name, or by e-mail address without one. */
export const filterPeople = (
  people: readonly Person[],
  { search, state, department }: PeopleFilter,
): Person[] =>
  people
    .filter(
      (person) =>
        matchesSearch(`${person.name} ${person.email}`, search) &&
        (state === '' || person.state === state) &&
        (department === '' || person.departments.some(({ id }) => String(id) === department)),
    )
    .toSorted(
      (one, other) => Number(other.owner) - Number(one.owner) || byName(sortName(one), sortName(other)),
    );

/** The roles of each type, built-in ones first; types without roles are left out. */
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

/** Sorted by holder, role and target. */
export const sortedEntries = (entries: readonly GrantEntry[]): GrantEntry[] =>
  entries.toSorted(
    (one, other) =>
      byName(sortName(one) || (one.department ?? ''), sortName(other) || (other.department ?? '')) ||
      byName(one.role, other.role) ||
      byName(one.agent ?? one.group ?? '', other.agent ?? other.group ?? ''),
  );

/** Identifies a grant. */
export const entryKey = ({ role_id, email, department_id, agent_id, group_id, until }: GrantEntry): string =>
  [role_id, email ?? '', department_id ?? '', agent_id ?? '', group_id ?? '', until ?? ''].join('|');

/** The people with permissions on a device: the owner first, then by number of permissions. */
export const sortedHolders = (people: readonly DeviceHolder[]): DeviceHolder[] =>
  people
    .filter(({ owner, permissions }) => owner || permissions.length > 0)
    .toSorted(
      (one, other) =>
        Number(other.owner) - Number(one.owner) ||
        other.permissions.length - one.permissions.length ||
        byName(sortName(one), sortName(other)),
    );

export interface DevicePermissions {
  id: number;
  name: string;
  group: string;
  permissions: EffectiveRights['rights'][number];
}

/** A person's permissions on each device that matches the search. */
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

/** The first items of a list, and the number of further ones. */
export const takeFirst = <Item>(
  items: readonly Item[],
  most: number,
): { shown: readonly Item[]; more: number } => ({
  shown: items.slice(0, most),
  more: Math.max(0, items.length - most),
});
