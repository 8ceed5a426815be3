/** Team: departments. One function per row of contract/src/v1/departments.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { departments as table } from '@drawbridge/contract/v1/departments';
import type { Department } from '../store/records.ts';
import type { Handlers } from './handler.ts';

export const departmentHandlers: Handlers<typeof table> = {
  'team/department/list': async ({ actor, input }, { store }) => {
    const found = await store.departments.list(actor.accountId, input);
    return { data: found.map((department) => ({ ...view(department), size: department.size })) };
  },

  'team/department/info': async ({ actor, input }, { store }) => {
    const department = await store.departments.find(actor.accountId, input.id);
    if (!department) return fault('not_found', { field: 'id' });
    return { data: { ...view(department), members: department.members } };
  },

  'team/department/create': async ({ actor, input, change }) =>
    change('departments/create', { accountId: actor.accountId, ...input }),

  'team/department/update': async ({ actor, input, change }) =>
    change('departments/update', { accountId: actor.accountId, ...input }),

  'team/department/remove': async ({ actor, input, change }) =>
    change('departments/remove', { accountId: actor.accountId, ...input }),

  'team/department/member/add': async ({ actor, input, change }) =>
    change('departments/member-add', { accountId: actor.accountId, by: actor.memberId, ...input }),

  'team/department/member/remove': async ({ actor, input, change }) =>
    change('departments/member-remove', { accountId: actor.accountId, ...input }),
};

const view = (department: Department) => ({
  id: department.id,
  name: department.name,
  ldap: department.ldap,
  worker: department.worker,
  create_time: department.createTime,
  modify_time: department.modifyTime,
});
