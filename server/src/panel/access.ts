/** Who may do what, seen from every side. One function per row of contract/panel/access.ts, but for the reset. */
import { fault } from '@drawbridge/contract/faults';
import type { access as table } from '@drawbridge/contract/panel/access';
import { permissionIds, permissionsOf, roleTypes, type RoleType } from '@drawbridge/contract/permissions';
import {
  agentScope,
  nearbyIndex,
  permissionsHeld,
  permissionsThrough,
  type Actor,
  type Grant,
  type Place,
} from '../domain/access.ts';
import type { GrantedEntry } from '../store/records.ts';
import type { Reads } from '../store/store.ts';
import type { PanelHandlers } from './handler.ts';

/** How many devices are explained before others get their turn. */
const partSize = 250;

export const access: PanelHandlers<Omit<typeof table, 'member/reset'>> = {
  'access/entries': async ({ actor, input }, { store }) => {
    const { agent_id: agentId, group_id: groupId, role_id: roleId } = input;
    const found = await store.access.all(actor.accountId, { agentId, groupId, roleId });
    return { data: found.map(entryView) };
  },

  'access/person': async ({ actor: { accountId }, input }, { store, breathe }) => {
    const person = await store.actors.byEmail(accountId, input.email);
    if (!person) return fault('not_found', { field: 'email' });
    const explain = explainer(person, await departmentNames(store, accountId));
    const found = await store.access.devices(accountId, agentScope(person));
    const devices = [];
    for (const [index, place] of found.entries()) {
      if (index % partSize === partSize - 1) await breathe();
      const { id, name, groupId } = place;
      devices.push({ id, name, group_id: groupId ?? 0, rights: explain.number(place) });
    }
    const { email, owner } = person;
    const [team, support] = [explain.held('team'), explain.held('quick_support')];
    return { data: { email, owner, rights: explain.sets(), devices, team, support } };
  },

  'access/device': async ({ actor: { accountId }, granted: [, agent] }, { store }) => {
    const departments = await departmentNames(store, accountId);
    const people = await store.access.holders(accountId, agent);
    return {
      data: people
        .map((person) => ({
          email: person.email,
          owner: person.owner,
          permissions: explainer(person, departments).on(agent),
        }))
        .filter(({ permissions }) => permissions.length > 0),
    };
  },

  'access/permissions': async () => ({
    data: Object.fromEntries(
      roleTypes.map((type) => [
        type,
        Object.entries(permissionsOf[type]).map(([permission, says]) => ({ permission, says })),
      ]),
    ),
  }),
};

const entryView = (entry: GrantedEntry) => ({
  role_id: entry.roleId,
  role: entry.role,
  type: entry.type,
  default: entry.system,
  ...(entry.email !== null && { email: entry.email }),
  ...(entry.departmentId !== null && { department_id: entry.departmentId, department: entry.department! }),
  ...(entry.agentId !== null && { agent_id: entry.agentId, agent: entry.agent! }),
  ...(entry.groupId !== null && { group_id: entry.groupId, group: entry.group! }),
});

type Names = ReadonlyMap<number, string>;

/** More departments than any account has. */
const everyDepartment = { offset: 0, limit: 1_000_000 };

async function departmentNames(store: Reads, accountId: number): Promise<Names> {
  const found = await store.departments.list(accountId, everyDepartment);
  return new Map(found.map(({ id, name }) => [id, name]));
}

const reason = (grant: Grant, departments: Names) => ({
  role_id: grant.roleId,
  role: grant.roleName,
  scope: grant.type,
  ...(grant.agentId !== null && { agent_id: grant.agentId }),
  ...(grant.groupId !== null && { group_id: grant.groupId }),
  ...(grant.departmentId !== null && {
    department_id: grant.departmentId,
    department: departments.get(grant.departmentId) ?? '',
  }),
});

/** Says what somebody may do, and through what; the owner may do everything, by being the owner. */
function explainer(person: Actor, departments: Names) {
  const nearby = nearbyIndex(person);
  const numbers = new Map<Actor | string, number>();
  const sets: ReturnType<typeof on>[] = [];

  const listed = (type: RoleType, through: ReturnType<typeof permissionsThrough>) =>
    permissionIds(type)
      .filter((permission) => person.owner || through.has(permission))
      .map((permission) => ({
        permission: permission as string,
        through: (through.get(permission) ?? []).map((grant) => reason(grant, departments)),
      }));
  const on = (place: Place) => listed('agent', permissionsThrough(nearby(place), place));

  /** The number of the set that somebody holds on a device; the same set with the same reasons has the same one. */
  function number(place: Place): number {
    const near = nearby(place);
    const known = numbers.get(near);
    if (known !== undefined) return known;
    const set = on(place);
    const key = JSON.stringify(set);
    const found = numbers.get(key) ?? sets.push(set) - 1;
    numbers.set(near, found).set(key, found);
    return found;
  }

  return {
    on,
    number,
    sets: () => sets,
    held: (type: 'team' | 'quick_support') => listed(type, permissionsHeld(person, type)),
  };
}
