/** What the pages of the team show, as it is asked of the server; asked anew when somebody changes it. */
import { get, type Answer, type Asking } from '../api.ts';
import { useResource, type Resource } from '../resource.ts';

export type Person = Answer<'team/people'>['data'][number];
export type Department = Answer<'team/departments'>['data'][number];
export type Role = Answer<'team/roles'>['data'][number];
export type Entry = Answer<'access/entries'>['data'][number];
type Told = Answer<'access/person'>['data'];
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

export const loadPeople = async (asking: Asking): Promise<Person[]> =>
  (await get('team/people', {}, asking)).data;

/** One person, if there is one with this address. */
export async function loadPerson(email: string, asking: Asking): Promise<{ found: Person | undefined }> {
  const { data } = await get('v1/team/member/list', { search: email, limit: 100 }, asking);
  return { found: data.find((each) => each.email === email) };
}

export const loadDepartments = async (asking: Asking): Promise<Department[]> =>
  (await get('team/departments', {}, asking)).data;

export const loadRoles = async (asking: Asking): Promise<Role[]> =>
  (await get('team/roles', {}, asking)).data;

/** Only those of one person, department, role, device or group; all of them where none is named. */
export type EntriesOf = Parameters<typeof get<'access/entries'>>[1];

/** Who may do something on a device, with the owner. */
export async function loadHolders(agentId: number, asking: Asking): Promise<OnDevice[]> {
  const { reasons, rights, data } = await get('access/device', { agent_id: agentId }, asking);
  const sets = rights.map((set) => withReasons(set, reasons));
  return data.map(({ email, owner, rights: set }) => ({ email, owner, permissions: sets[set] ?? [] }));
}

/** What a person may do, on which devices and through what. */
export async function loadEffective(email: string, asking: Asking): Promise<Effective> {
  const { reasons, ...told } = (await get('access/person', { email }, asking)).data;
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

export const loadGroups = async (asking: Asking): Promise<Named[]> =>
  (await get('v1/groups/list', {}, asking)).data;

export const loadDevices = async (asking: Asking): Promise<Named[]> =>
  (await get('devices', {}, asking)).data.map(({ id, name }) => ({ id, name }));

export const usePeople = (): Resource<Person[]> => useResource('people', loadPeople, ['team']);
export const useDepartments = (): Resource<Department[]> =>
  useResource('departments', loadDepartments, ['team']);
export const useRoles = (): Resource<Role[]> => useResource('roles', loadRoles, ['team']);
/** Names of devices and groups stand in them too. */
export const useEntries = (of: EntriesOf): Resource<Entry[]> =>
  useResource(
    `entries ${JSON.stringify(of)}`,
    async (asking) => (await get('access/entries', of, asking)).data,
    ['team', 'groups'],
  );
export const useGroups = (): Resource<Named[]> => useResource('groups', loadGroups, ['groups']);
export const useDevices = (): Resource<Named[]> => useResource('devices', loadDevices, ['agents']);
