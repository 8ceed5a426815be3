/** What members of an organisation may try, step by step: operations that could change who may do what. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import { modelMoment, pickAt, subset, types, type Organisation, type ModelRole } from './organisation.ts';
import { clientIds, providerGroups } from './provider-rows.ts';

/** A step as it is generated: who, what, and numbers that select among what exists. */
export interface ModelStep {
  by: number | 'owner';
  does: ModelAction;
  a: number;
  b: number;
  c: number;
}

/** What identity providers do is no operation of the API. */
export type StepId = OperationId | 'scim/group' | 'scim/active' | 'scim/address' | 'sign-in/sso';

type Request = [StepId, Record<string, unknown>];

/** What the role's type requires as a target. */
function scopeOf({ type }: ModelRole, { devices, groups }: Organisation, index: number): object {
  if (type === 'agent') return { agent_id: pickAt(devices, index) };
  return type === 'group' ? { group_id: pickAt(groups, index) } : {};
}

const toPerson = (org: Organisation, { a, b, c }: ModelStep) => {
  const role = pickAt(org.roles, a);
  return { email: pickAt(org.people, b), role_id: role.id, ...scopeOf(role, org, c) };
};
const toDepartment = (org: Organisation, { a, b, c }: ModelStep) => {
  const role = pickAt(org.roles, a);
  return { department_id: pickAt(org.departments, b), role_id: role.id, ...scopeOf(role, org, c) };
};
const membership = ({ departments, people }: Organisation, { a, b }: ModelStep) => ({
  id: pickAt(departments, a),
  email: pickAt(people, b),
});

const policyOf = (index: number) => ({ terminal: pickAt(['on', 'off', 'inherit'], index) });

export const modelActions = {
  'creates a role': (_org, { a, b }) => {
    const type = pickAt(types, a);
    return ['team/role/create', { name: 'role', type, permission: subset(type, b) }];
  },
  'edits a role': ({ roles }, { a, b }) => {
    const { id, type } = pickAt(roles, a);
    return ['team/role/edit', { id, permission: subset(type, b) }];
  },
  'removes a role': ({ roles }, { a }) => ['team/role/remove', { id: pickAt(roles, a).id }],
  'grants to a person': (org, step) => ['team/member/access/add', toPerson(org, step)],
  'grants to a person for a while': (org, step) => [
    'team/member/access/add',
    { ...toPerson(org, step), until: modelMoment + 300 + 600 * (step.c % 2) },
  ],
  'asks for access': (org, step) => {
    const { email: _, ...wanted } = toPerson(org, step);
    return ['team/access/request/create', { ...wanted, reason: 'why', minutes: 5 }];
  },
  'takes access in an emergency': (org, step) => {
    const { email: _, ...wanted } = toPerson(org, step);
    return ['team/access/emergency', { ...wanted, reason: 'why', minutes: 5 }];
  },
  'approves a request': ({ requests }, { a }) => [
    'team/access/request/approve',
    { id: requests.length === 0 ? 1 : pickAt(requests, a) },
  ],
  'takes from a person': (org, step) => ['team/member/access/remove', toPerson(org, step)],
  'grants to a department': (org, step) => ['team/department/access/add', toDepartment(org, step)],
  'takes from a department': (org, step) => ['team/department/access/remove', toDepartment(org, step)],
  'puts into a department': (org, step) => ['team/department/member/add', membership(org, step)],
  'takes out of a department': (org, step) => ['team/department/member/remove', membership(org, step)],
  'removes a department': ({ departments }, { a }) => [
    'team/department/remove',
    { id: pickAt(departments, a) },
  ],
  'puts into a group': ({ groups, devices }, { a, b }) => [
    'groups/agent/insert',
    { id: pickAt(groups, a), agent_id: pickAt(devices, b) },
  ],
  'takes out of a group': ({ devices }, { a }) => ['groups/agent/remove', { agent_id: pickAt(devices, a) }],
  'removes a group': ({ groups }, { a }) => ['groups/remove', { id: pickAt(groups, a) }],
  'merges devices': ({ devices }, { a, b }) => [
    'agents/merge',
    { agent_id: pickAt(devices, a), target_agent_id: pickAt(devices, b) },
  ],
  'sets a password': ({ devices }, { a }) => [
    'agents/update',
    { id: pickAt(devices, a), permanent_url: { enable: true, password: 'correct horse 7' } },
  ],
  'changes the policy of a device': ({ devices }, { a, b }) => [
    'agents/policy/update',
    { agent_id: pickAt(devices, a), ...policyOf(b) },
  ],
  'changes the policy of a group': ({ groups }, { a, b }) => [
    'groups/policy/update',
    { id: pickAt(groups, a), ...policyOf(b) },
  ],
  'changes the policy of the account': (_org, { b }) => ['account/policy/update', policyOf(b)],
  'unlinks a device': ({ devices }, { a }) => ['agents/logout', { id: pickAt(devices, a) }],
  'makes a key': () => ['keys/create', {}],
  'invites a person': ({ people }, { a }) => ['team/member/invite', { email: pickAt(people, a) }],
  'sets up a directory': ({ directory }, { b, c }) => [
    'team/directory/update',
    { id: directory, base: String(b), sign_in: c === 0 },
  ],
  'imports a directory': ({ directory }) => ['team/directory/run', { id: directory, confirm_removals: true }],
  'provisions a member': ({ departments, people }, { a, b, c }) => [
    'scim/group',
    { id: pickAt(departments, a), email: pickAt(people, b), joins: c !== 1 },
  ],
  'provisions whether somebody is active': ({ people }, { b, c }) => [
    'scim/active',
    { email: pickAt(people, b), active: c === 1 },
  ],
  'provisions an address': ({ people }, { b }) => ['scim/address', { email: pickAt(people, b) }],
  'sets up a provider': ({ provider }, { a, c }) => [
    'team/provider/update',
    { id: provider, adopt: c !== 1, client_id: clientIds[Number(a === 2)] },
  ],
  'maps a group': ({ provider, departments }, { a, b }) => [
    'team/provider/group/add',
    { id: provider, group: pickAt(providerGroups, b), department_id: pickAt(departments, a) },
  ],
  'removes the mapping of a group': ({ provider, departments }, { a, b }) => [
    'team/provider/group/remove',
    { id: provider, group: pickAt(providerGroups, b), department_id: pickAt(departments, a) },
  ],
  'signs in with a provider': (_org, { b }) => [
    'sign-in/sso',
    { groups: providerGroups.filter((_group, index) => b & (1 << index)) },
  ],
  'removes a person': ({ people }, { a }) => ['team/member/remove', { email: pickAt(people, a) }],
} satisfies Record<string, (org: Organisation, step: ModelStep) => Request>;

export type ModelAction = keyof typeof modelActions;

/** Actions by which a member could get permissions that they lack. */
export const riskyActions: ModelAction[] = [
  'edits a role',
  'grants to a person',
  'grants to a department',
  'puts into a department',
  'puts into a group',
  'merges devices',
  'sets a password',
  'invites a person',
  'imports a directory',
  'provisions a member',
  'provisions an address',
  'maps a group',
];

export const toOperationRequest = (org: Organisation, step: ModelStep): Request => {
  const action: (org: Organisation, step: ModelStep) => Request = modelActions[step.does];
  return action(org, step);
};
