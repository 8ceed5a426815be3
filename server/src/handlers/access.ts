/** Team: what technicians and departments are granted. One function per row of contract/src/v1/access.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { access as table } from '@drawbridge/contract/v1/access';
import type { Actor } from '../domain/people/access.ts';
import type { AccessEntry } from '../store/records.ts';
import type { GrantInput } from '../store/changes.ts';
import type { Handlers } from './handler.ts';

export const accessHandlers: Handlers<typeof table> = {
  'team/member/access/list': async ({ actor, input }, { store }) => {
    const member = await store.members.find(actor.accountId, input.email);
    if (!member) return fault('not_found', { field: 'email' });
    const entries = await store.access.ofMember(actor.accountId, member.id);
    return { data: { id: member.id, email: member.email, roles: entries.map(memberEntry) } };
  },

  'team/member/access/add': async ({ actor, input, change }) =>
    change('access/add', grantOf(actor, { email: input.email }, input)),

  'team/member/access/remove': async ({ actor, input, change }) =>
    change('access/remove', grantOf(actor, { email: input.email }, input)),

  'team/department/access/list': async ({ actor, input }, { store }) => {
    const department = await store.departments.find(actor.accountId, input.id);
    if (!department) return fault('not_found', { field: 'id' });
    const entries = await store.access.ofDepartment(actor.accountId, department.id);
    return { data: { id: department.id, roles: entries.map(entryView) } };
  },

  'team/department/access/add': async ({ actor, input, change }) =>
    change('access/add', grantOf(actor, { departmentId: input.department_id }, input)),

  'team/department/access/remove': async ({ actor, input, change }) =>
    change('access/remove', grantOf(actor, { departmentId: input.department_id }, input)),
};

interface AccessFields {
  role_id: number;
  agent_id?: number | undefined;
  group_id?: number | undefined;
  until?: number | undefined;
}

const grantOf = (actor: Actor, holder: GrantInput['holder'], fields: AccessFields): GrantInput => ({
  accountId: actor.accountId,
  by: actor.memberId,
  holder,
  roleId: fields.role_id,
  agentId: fields.agent_id,
  groupId: fields.group_id,
  until: fields.until,
});

const entryView = (entry: AccessEntry) => ({
  id: entry.roleId,
  ...(entry.agentId !== null && { agent_id: entry.agentId }),
  ...(entry.groupId !== null && { group_id: entry.groupId }),
  ...(entry.until !== null && { until: entry.until }),
});

const memberEntry = (entry: AccessEntry) => ({
  ...entryView(entry),
  ...(entry.agentId === null && entry.groupId === null && { default: entry.system }),
});
