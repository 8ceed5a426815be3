/** What the pages of the team show, as it is asked of the server; asked anew when somebody changes it. */
import { get, type Answer, type Asking } from '../api.ts';
import { useResource, type Resource } from '../resource.ts';
import { everyPage } from './every-page.ts';

export type Person = Answer<'v1/team/member/list'>['data'][number];
export type Department = Answer<'v1/team/department/list'>['data'][number];
export type Role = Answer<'v1/team/role/list'>['data'][number];
export type Entry = Answer<'access/entries'>['data'][number];
export type Effective = Answer<'access/person'>['data'];
export type OnDevice = Answer<'access/device'>['data'][number];
export type Held = OnDevice['permissions'][number];
export type Through = Held['through'][number];
export interface Named {
  id: number;
  name: string;
}

export const loadPeople = (asking: Asking): Promise<Person[]> =>
  everyPage(async (part) => (await get('v1/team/member/list', part, asking)).data);

export const loadDepartments = (asking: Asking): Promise<Department[]> =>
  everyPage(async (part) => (await get('v1/team/department/list', part, asking)).data);

export const loadRoles = (asking: Asking): Promise<Role[]> =>
  everyPage(async (part) => (await get('v1/team/role/list', part, asking)).data);

export const loadEntries = async (asking: Asking): Promise<Entry[]> =>
  (await get('access/entries', {}, asking)).data;

export const loadGroups = async (asking: Asking): Promise<Named[]> =>
  (await get('v1/groups/list', {}, asking)).data;

export const loadDevices = async (asking: Asking): Promise<Named[]> =>
  (await get('devices', {}, asking)).data.map(({ id, name }) => ({ id, name }));

export const usePeople = (): Resource<Person[]> => useResource('people', loadPeople, ['team']);
export const useDepartments = (): Resource<Department[]> =>
  useResource('departments', loadDepartments, ['team']);
export const useRoles = (): Resource<Role[]> => useResource('roles', loadRoles, ['team']);
/** Names of devices and groups stand in them too. */
export const useEntries = (): Resource<Entry[]> => useResource('entries', loadEntries, ['team', 'groups']);
export const useGroups = (): Resource<Named[]> => useResource('groups', loadGroups, ['groups']);
export const useDevices = (): Resource<Named[]> => useResource('devices', loadDevices, ['agents']);
