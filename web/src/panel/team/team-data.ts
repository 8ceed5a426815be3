/** What the pages of the team show, as it is asked of the server; asked anew when somebody changes it. */
import { get, type OutputOf, type ApiRequestOptions } from '../api.ts';
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
  owner: boolean;
  permissions: readonly HeldPermission[];
}
export interface NamedItem {
  id: number;
  name: string;
}

export const loadPeople = async (options: ApiRequestOptions): Promise<Person[]> =>
  (await get('team/people', {}, options)).data;

/** One person, if there is one with this address. */
export async function loadPerson(
  email: string,
  options: ApiRequestOptions,
): Promise<{ found: Person | undefined }> {
  const { data } = await get('v1/team/member/list', { search: email, limit: 100 }, options);
  return { found: data.find((each) => each.email === email) };
}

export const loadDepartments = async (options: ApiRequestOptions): Promise<TeamDepartment[]> =>
  (await get('team/departments', {}, options)).data;

export const loadRoles = async (options: ApiRequestOptions): Promise<TeamRole[]> =>
  (await get('team/roles', {}, options)).data;

/** Only those of one person, department, role, device or group; all of them where none is named. */
export type GrantEntryFilter = Parameters<typeof get<'access/entries'>>[1];

/** Who may do something on a device, with the owner. */
export async function loadHolders(agentId: number, options: ApiRequestOptions): Promise<DeviceHolder[]> {
  const { reasons, rights, data } = await get('access/device', { agent_id: agentId }, options);
  const sets = rights.map((set) => withReasons(set, reasons));
  return data.map(({ email, owner, rights: set }) => ({ email, owner, permissions: sets[set] ?? [] }));
}

/** What a person may do, on which devices and through what. */
export async function loadEffectiveRights(
  email: string,
  options: ApiRequestOptions,
): Promise<EffectiveRights> {
  const { reasons, ...told } = (await get('access/person', { email }, options)).data;
  return {
    ...told,
    rights: told.rights.map((set) => withReasons(set, reasons)),
    team: withReasons(told.team, reasons),
    support: withReasons(told.support, reasons),
  };
}

/** The server names each reason once, and then by its number. */
const withReasons = (set: PersonAccess['team'], reasons: readonly GrantReason[]): HeldPermission[] =>
  set.map(({ permission, through }) => ({
    permission,
    through: through.flatMap((number) => reasons[number] ?? []),
  }));

export const loadGroupNames = async (options: ApiRequestOptions): Promise<NamedItem[]> =>
  (await get('v1/groups/list', {}, options)).data;

export const loadDeviceNames = async (options: ApiRequestOptions): Promise<NamedItem[]> =>
  (await get('devices', {}, options)).data.map(({ id, name }) => ({ id, name }));

export const usePeople = (): Resource<Person[]> => useResource('people', loadPeople, ['team']);
export const useDepartments = (): Resource<TeamDepartment[]> =>
  useResource('departments', loadDepartments, ['team']);
export const useRoles = (): Resource<TeamRole[]> => useResource('roles', loadRoles, ['team']);
/** Names of devices and groups stand in them too. */
export const useEntries = (of: GrantEntryFilter): Resource<GrantEntry[]> =>
  useResource(
    `entries ${JSON.stringify(of)}`,
    async (options) => (await get('access/entries', of, options)).data,
    ['team', 'groups'],
  );
export const useGroupNames = (): Resource<NamedItem[]> => useResource('groups', loadGroupNames, ['groups']);
export const useDeviceNames = (): Resource<NamedItem[]> =>
  useResource('devices', loadDeviceNames, ['agents']);
