/** Test rows: departments. */
import type { departments } from '@drawbridge/contract/v1/departments';
import { nothing, byDepartment, membershipRequest, afterGrant, withName } from './requests.ts';
import type { RowsOf } from './row.ts';
import { needsUserAdmin } from './rules.ts';

export const departmentsRows: RowsOf<typeof departments> = {
  'team/department/list': { request: nothing, outcome: needsUserAdmin },
  'team/department/info': {
    request: byDepartment,
    outcome: needsUserAdmin,
    names: { id: 'department' },
  },
  'team/department/create': { request: withName('name'), outcome: needsUserAdmin },
  'team/department/update': {
    request: withName('name', byDepartment),
    outcome: needsUserAdmin,
    names: { id: 'department' },
  },
  'team/department/remove': {
    request: byDepartment,
    outcome: needsUserAdmin,
    names: { id: 'department' },
  },
  'team/department/member/add': {
    request: membershipRequest,
    outcome: needsUserAdmin,
    names: { id: 'department', email: 'email' },
    freshSignIn: true,
  },
  'team/department/member/remove': {
    request: afterGrant(membershipRequest),
    outcome: needsUserAdmin,
    names: { id: 'department', email: 'email' },
  },
};
