/** Loads the data of the team pages, and reloads it when it changes. */
import { useMemo } from 'preact/hooks';
import { get, type OutputOf, type ApiRequestOptions } from '../api.ts';
import { foldText } from '../fold-text.ts';
import { loadPersonNames } from './people/load-person-names.ts';
import { toPersonNames, type PersonNames } from './people/person-label.ts';
import { useResource } from '../resource.ts';
import { type Resource } from '../resource-types.ts';

export type Person = OutputOf<'team/people'>['data'][number];
export type TeamDepartment = OutputOf<'team/departments'>['data'][number];
export type TeamRole = OutputOf<'team/roles'>['data'][number];
export type GrantEntry = OutputOf<'access/entries'>['data'][number];
type PersonAccess = OutputOf<'access/person'>['data'];
export type GrantReason = PersonAccess['reasons'][number];
export interface HeldPermission {
  permission: string;
  through: readonly GrantReason[];
}
export interface EffectiveRights extends Omit<PersonAccess, 'reasons' | 'rights' | 'team' | 'support'> {
  rights: readonly (readonly HeldPermission[])[];
  team: readonly HeldPermission[];
  support: readonly HeldPermission[];
}
export interface DeviceHolder {
  email: string;
  /** Empty if they have not given one. */
  name: string;
  owner: boolean;
  permissions: readonly HeldPermission[];
}
export interface NamedItem {
  id: number;
  name: string;
}

const loadPeople = async (options: ApiRequestOptions): Promise<Person[]> =>
  (await get('team/people', {}, options)).data;

/** The person with this e-mail address, if there is one. */
export async function loadPerson(
  email: string,
  options: ApiRequestOptions,
): Promise<{ found: Person | undefined }> {
  const [{ data }, names] = await Promise.all([
    get('v1/team/member/list', { search: email, limit: 100 }, options),
    loadPersonNames([email], options),
  ]);
  const found = data.find((each) => each.email === email);
  return { found: found && { ...found, name: names.get(foldText(email)) ?? '' } };
}

const loadDepartments = async (options: ApiRequestOptions): Promise<TeamDepartment[]> =>
  (await get('team/departments', {}, options)).data;

const loadRoles = async (options: ApiRequestOptions): Promise<TeamRole[]> =>
  (await get('team/roles', {}, options)).data;

/** The grants of one person, department, role, device or group; all grants if none is given. */
export type GrantEntryFilter = Parameters<typeof get<'access/entries'>>[1];

/** The people with permissions on a device, including the owner. */
export async function loadHolders(agentId: number, options: ApiRequestOptions): Promise<DeviceHolder[]> {
  const { reasons, rights, data } = await get('access/device', { agent_id: agentId }, options);
  const sets = rights.map((set) => withReasons(set, reasons));
  return data.map(({ rights: set, ...person }) => ({ ...person, permissions: sets[set] ?? [] }));
}

/** A person's permissions, with devices and reasons. */
export async function loadEffectiveRights(
  email: string,
  options: ApiRequestOptions,
): Promise<EffectiveRights> {
  const { reasons, ...access } = (await get('access/person', { email }, options)).data;
  return {
    ...access,
    rights: access.rights.map((set) => withReasons(set, reasons)),
    team: withReasons(access.team, reasons),
    support: withReasons(access.support, reasons),
  };
}

/** The response lists each reason once and refers to it by its index. */
const withReasons = (set: PersonAccess['team'], reasons: readonly GrantReason[]): HeldPermission[] =>
  set.map(({ permission, through }) => ({
    permission,
    through: through.flatMap((number) => reasons[number] ?? []),
  }));

const loadGroupNames = async (options: ApiRequestOptions): Promise<NamedItem[]> =>
  (await get('v1/groups/list', {}, options)).data;

const loadDeviceNames = async (options: ApiRequestOptions): Promise<NamedItem[]> =>
  (await get('devices', {}, options)).data.map(({ id, name }) => ({ id, name }));

export const usePeople = (): Resource<Person[]> => useResource('people', loadPeople, ['team']);
/** The names of everybody; empty until they are loaded. */
export function usePersonNames(): PersonNames {
  const people = usePeople().value.value;
  return useMemo(() => toPersonNames(people ?? []), [people]);
}
export const useDepartments = (): Resource<TeamDepartment[]> =>
  useResource('departments', loadDepartments, ['team']);
export const useRoles = (): Resource<TeamRole[]> => useResource('roles', loadRoles, ['team']);
/** Grants contain the names of devices and groups, so they are also reloaded when groups change. */
export const useEntries = (of: GrantEntryFilter): Resource<GrantEntry[]> =>
  useResource(
    `entries ${JSON.stringify(of)}`,
    async (options) => (await get('access/entries', of, options)).data,
    ['team', 'groups'],
  );
export const useGroupNames = (): Resource<NamedItem[]> => useResource('groups', loadGroupNames, ['groups']);
export const useDeviceNames = (): Resource<NamedItem[]> =>
  useResource('devices', loadDeviceNames, ['agents']);
