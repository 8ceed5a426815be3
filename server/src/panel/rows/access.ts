/** Who may do what, for every page that shows it. One function per row of contract/src/panel/access.ts, except the reset. */
import { fault } from '@drawbridge/contract/faults';
import type { panelAccess as table } from '@drawbridge/contract/panel/access';
import { permissionIds, permissionsOf, roleTypes, type RoleType } from '@drawbridge/contract/permissions';
import {
  agentScope,
  scopedActorIndex,
  grantsByPermissionOfType,
  grantsByPermissionOnAgent,
  type Actor,
  type RoleGrant,
  type AgentRef,
} from '../../domain/people/access.ts';
import type { NamedAccessEntry } from '../../store/records.ts';
import type { Reads } from '../../store/store.ts';
import type { PanelHandlers } from '../handler.ts';

/** The number of devices that are explained before yielding to the event loop. */
const batchSize = 250;

export const panelAccessHandlers: PanelHandlers<Omit<typeof table, 'member/reset'>> = {
  'access/entries': async ({ actor, input }, { store }) => {
    const { agent_id: agentId, group_id: groupId, role_id: roleId, department_id: departmentId } = input;
    const filter = { agentId, groupId, roleId, departmentId, email: input.email };
    const found = await store.access.all(actor.accountId, filter);
    return { data: found.map(entryView) };
  },

  'access/person': async ({ actor: { accountId }, input }, { store, yieldToEventLoop }) => {
    const person = await store.actors.byEmail(accountId, input.email);
    if (!person) return fault('not_found', { field: 'email' });
    const explain = createExplainer(person, await namesOf(store, accountId), createExplanationTable());
    const found = await store.access.devices(accountId, agentScope(person));
    const devices = [];
    for (const [index, agentRef] of found.entries()) {
      if (index % batchSize === batchSize - 1) await yieldToEventLoop();
      const { id, name, groupId } = agentRef;
      devices.push({ id, name, group_id: groupId ?? 0, rights: explain.number(agentRef) });
    }
    const { email, owner } = person;
    const [team, support] = [explain.held('team'), explain.held('quick_support')];
    const { reasons, rights } = explain.explanations;
    return { data: { email, owner, reasons, rights, devices, team, support } };
  },

  'access/device': async ({ actor: { accountId }, granted: [, agent] }, { store, yieldToEventLoop }) => {
    const names = await namesOf(store, accountId);
    const explanations = createExplanationTable();
    const data = [];
    for (const [index, person] of (await store.access.holders(accountId, agent)).entries()) {
      if (index % batchSize === batchSize - 1) await yieldToEventLoop();
      const rights = createExplainer(person, names, explanations).number(agent);
      if (explanations.rights[rights]!.length > 0)
        data.push({ email: person.email, name: person.name, owner: person.owner, rights });
    }
    return { reasons: explanations.reasons, rights: explanations.rights, data };
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

const entryView = (entry: NamedAccessEntry) => ({
  role_id: entry.roleId,
  role: entry.role,
  type: entry.type,
  default: entry.system,
  ...(entry.email !== null && { email: entry.email, name: entry.name ?? '' }),
  ...(entry.departmentId !== null && { department_id: entry.departmentId, department: entry.department! }),
  ...(entry.agentId !== null && { agent_id: entry.agentId, agent: entry.agent! }),
  ...(entry.groupId !== null && { group_id: entry.groupId, group: entry.group! }),
  ...(entry.until !== null && { until: entry.until }),
});

interface EntityNames {
  departments: ReadonlyMap<number, string>;
  groups: ReadonlyMap<number, string>;
}

/** More departments than any account has. */
const everyDepartment = { offset: 0, limit: 1_000_000 };

async function namesOf(store: Reads, accountId: number): Promise<EntityNames> {
  const byId = (found: readonly { id: number; name: string }[]) =>
    new Map(found.map(({ id, name }) => [id, name]));
  const departments = await store.departments.list(accountId, everyDepartment);
  return { departments: byId(departments), groups: byId(await store.groups.list(accountId, 'all')) };
}

const reason = (grant: RoleGrant, { departments, groups }: EntityNames) => ({
  role_id: grant.roleId,
  role: grant.roleName,
  scope: grant.type,
  ...(grant.agentId !== null && { agent_id: grant.agentId }),
  ...(grant.groupId !== null && { group_id: grant.groupId, group: groups.get(grant.groupId) ?? '' }),
  ...(grant.departmentId !== null && {
    department_id: grant.departmentId,
    department: departments.get(grant.departmentId) ?? '',
  }),
  ...(grant.until !== null && { until: grant.until }),
});

interface HeldPermission {
  permission: string;
  through: number[];
}

/** Numbers things from 0; equal things get the same number. */
function createInternTable<Thing>() {
  const numbers = new Map<string, number>();
  const all: Thing[] = [];
  const numberOf = (thing: Thing): number => {
    const key = JSON.stringify(thing);
    const found = numbers.get(key) ?? all.push(thing) - 1;
    numbers.set(key, found);
    return found;
  };
  return { all, numberOf };
}

/** Reasons and sets of rights, each stored once. */
function createExplanationTable() {
  const [reasons, rights] = [
    createInternTable<ReturnType<typeof reason>>(),
    createInternTable<HeldPermission[]>(),
  ];
  return {
    reasons: reasons.all,
    rights: rights.all,
    reasonOf: reasons.numberOf,
    setOf: rights.numberOf,
  };
}

/** Explains what somebody may do and through which grants; the owner may do everything. */
function createExplainer(
  person: Actor,
  names: EntityNames,
  explanations: ReturnType<typeof createExplanationTable>,
) {
  const scopedActor = scopedActorIndex(person);
  const numbers = new Map<Actor, number>();

  const toHeldPermissions = (
    type: RoleType,
    through: ReturnType<typeof grantsByPermissionOnAgent>,
  ): HeldPermission[] =>
    permissionIds(type)
      .filter((permission) => person.owner || through.has(permission))
      .map((permission) => ({
        permission: permission as string,
        through: (through.get(permission) ?? []).map((grant) => explanations.reasonOf(reason(grant, names))),
      }));

  /** The number of the set of rights that somebody holds on a device. */
  function number(agentRef: AgentRef): number {
    const scoped = scopedActor(agentRef);
    const known = numbers.get(scoped);
    if (known !== undefined) return known;
    const found = explanations.setOf(toHeldPermissions('agent', grantsByPermissionOnAgent(scoped, agentRef)));
    numbers.set(scoped, found);
    return found;
  }

  return {
    number,
    explanations,
    held: (type: 'team' | 'quick_support') => toHeldPermissions(type, grantsByPermissionOfType(person, type)),
  };
}
