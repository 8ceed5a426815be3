/** What the pages of the team show, as it is asked of the server; asked anew when somebody changes it. */
import { get, type OutputOf, type ApiRequestOptions } from '../api.ts';
import { useResource, type Resource } from '../resource.ts';

export type Person = OutputOf<'team/people'>['data'][number];
export type Department = OutputOf<'team/departments'>['data'][number];
export type Role = OutputOf<'team/roles'>['data'][number];
export type Entry = OutputOf<'access/entries'>['data'][number];
type Told = OutputOf<'access/person'>['data'];
export type Through = Told['reasons'][number];
export interface Held {
  permission: string;
  through: readonly Through[];
}
export interface Effective extends Omit<Told, 'reasons' | 'rights' | 'team' | 'support'> {
  rights: readonly (readonly Held[])[];
  team: readonly Held[];
  support: readonly Held[];
}
export interface OnDevice {
  email: string;
  owner: boolean;
  permissions: readonly Held[];
}
export interface Named {
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

export const loadDepartments = async (options: ApiRequestOptions): Promise<Department[]> =>
  (await get('team/departments', {}, options)).data;

export const loadRoles = async (options: ApiRequestOptions): Promise<Role[]> =>
  (await get('team/roles', {}, options)).data;

/** Only those of one person, department, role, device or group; all of them where none is named. */
export type EntriesOf = Parameters<typeof get<'access/entries'>>[1];

/** Who may do something on a device, with the owner. */
export async function loadHolders(agentId: number, options: ApiRequestOptions): Promise<OnDevice[]> {
  const { reasons, rights, data } = await get('access/device', { agent_id: agentId }, options);
  const sets = rights.map((set) => withReasons(set, reasons));
  return data.map(({ email, owner, rights: set }) => ({ email, owner, permissions: sets[set] ?? [] }));
}

/** What a person may do, on which devices and through what. */
export async function loadEffective(email: string, options: ApiRequestOptions): Promise<Effective> {
  const { reasons, ...told } = (await get('access/person', { email }, options)).data;
  return {
    ...told,
    rights: told.rights.map((set) => withReasons(set, reasons)),
    team: withReasons(told.team, reasons),
    support: withReasons(told.support, reasons),
  };
}

/** The server names each reason once, and then by its number. */
const withReasons = (set: Told['team'], reasons: readonly Through[]): Held[] =>
  set.map(({ permission, through }) => ({
    permission,
    through: through.flatMap((number) => reasons[number] ?? []),
  }));

export const loadGroups = async (options: ApiRequestOptions): Promise<Named[]> =>
  (await get('v1/groups/list', {}, options)).data;

export const loadDevices = async (options: ApiRequestOptions): Promise<Named[]> =>
  (await get('devices', {}, options)).data.map(({ id, name }) => ({ id, name }));

export const usePeople = (): Resource<Person[]> => useResource('people', loadPeople, ['team']);
export const useDepartments = (): Resource<Department[]> =>
  useResource('departments', loadDepartments, ['team']);
export const useRoles = (): Resource<Role[]> => useResource('roles', loadRoles, ['team']);
/** Names of devices and groups stand in them too. */
export const useEntries = (of: EntriesOf): Resource<Entry[]> =>
  useResource(
    `entries ${JSON.stringify(of)}`,
    async (options) => (await get('access/entries', of, options)).data,
    ['team', 'groups'],
  );
export const useGroups = (): Resource<Named[]> => useResource('groups', loadGroups, ['groups']);
export const useDevices = (): Resource<Named[]> => useResource('devices', loadDevices, ['agents']);
