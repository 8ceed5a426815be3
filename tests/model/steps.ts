/** What people of an organisation may try, step by step: operations that could change who may do what. */
import type { OperationId } from '@drawbridge/contract/v1/index';
import { pick, subset, types, type Organisation, type Role } from './organisation.ts';

/** A step as it is drawn: who, what, and numbers that choose among what is there. */
export interface Step {
  by: number | 'owner';
  does: Deed;
  a: number;
  b: number;
  c: number;
}

type Request = [OperationId, Record<string, unknown>];

/** What the role's type needs to be granted on. */
function scopeOf({ type }: Role, { devices, groups }: Organisation, index: number): object {
  if (type === 'agent') return { agent_id: pick(devices, index) };
  return type === 'group' ? { group_id: pick(groups, index) } : {};
}

const toPerson = (org: Organisation, { a, b, c }: Step) => {
  const role = pick(org.roles, a);
  return { email: pick(org.people, b), role_id: role.id, ...scopeOf(role, org, c) };
};
const toDepartment = (org: Organisation, { a, b, c }: Step) => {
  const role = pick(org.roles, a);
  return { department_id: pick(org.departments, b), role_id: role.id, ...scopeOf(role, org, c) };
};
const membership = ({ departments, people }: Organisation, { a, b }: Step) => ({
  id: pick(departments, a),
  email: pick(people, b),
});

export const deeds = {
  'creates a role': (_org, { a, b }) => {
    const type = pick(types, a);
    return ['team/role/create', { name: 'role', type, permission: subset(type, b) }];
  },
  'edits a role': ({ roles }, { a, b }) => {
    const { id, type } = pick(roles, a);
    return ['team/role/edit', { id, permission: subset(type, b) }];
  },
  'removes a role': ({ roles }, { a }) => ['team/role/remove', { id: pick(roles, a).id }],
  'grants to a person': (org, step) => ['team/member/access/add', toPerson(org, step)],
  'takes from a person': (org, step) => ['team/member/access/remove', toPerson(org, step)],
  'grants to a department': (org, step) => ['team/department/access/add', toDepartment(org, step)],
  'takes from a department': (org, step) => ['team/department/access/remove', toDepartment(org, step)],
  'puts into a department': (org, step) => ['team/department/member/add', membership(org, step)],
  'takes out of a department': (org, step) => ['team/department/member/remove', membership(org, step)],
  'removes a department': ({ departments }, { a }) => [
    'team/department/remove',
    { id: pick(departments, a) },
  ],
  'puts into a group': ({ groups, devices }, { a, b }) => [
    'groups/agent/insert',
    { id: pick(groups, a), agent_id: pick(devices, b) },
  ],
  'takes out of a group': ({ devices }, { a }) => ['groups/agent/remove', { agent_id: pick(devices, a) }],
  'removes a group': ({ groups }, { a }) => ['groups/remove', { id: pick(groups, a) }],
  'merges devices': ({ devices }, { a, b }) => [
    'agents/merge',
    { agent_id: pick(devices, a), target_agent_id: pick(devices, b) },
  ],
  'sets a password': ({ devices }, { a }) => [
    'agents/update',
    { id: pick(devices, a), permanent_url: { enable: true, password: 'correct horse 7' } },
  ],
  'unlinks a device': ({ devices }, { a }) => ['agents/logout', { id: pick(devices, a) }],
  'makes a key': () => ['keys/create', {}],
  'invites a person': ({ people }, { a }) => ['team/member/invite', { email: pick(people, a) }],
  'removes a person': ({ people }, { a }) => ['team/member/remove', { email: pick(people, a) }],
} satisfies Record<string, (org: Organisation, step: Step) => Request>;

export type Deed = keyof typeof deeds;

/** Deeds by which somebody could get rights that they lack. */
export const risky: Deed[] = [
  'edits a role',
  'grants to a person',
  'grants to a department',
  'puts into a department',
  'puts into a group',
  'merges devices',
  'sets a password',
  'invites a person',
];

export const requestOf = (org: Organisation, step: Step): Request => {
  const deed: (org: Organisation, step: Step) => Request = deeds[step.does];
  return deed(org, step);
};
