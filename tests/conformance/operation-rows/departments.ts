/** Test rows: departments. */
import type { departments } from '@drawbridge/contract/v1/departments';
import { nothing, byDepartment, membership, afterGrant, named } from './requests.ts';
import type { RowsOf } from './row.ts';
import { admin } from './rules.ts';

export const departmentsRows: RowsOf<typeof departments> = {
  'team/department/list': { request: nothing, outcome: admin },
  'team/department/info': {
    request: byDepartment,
    outcome: admin,
    names: { id: 'department' },
  },
  'team/department/create': { request: named('name'), outcome: admin },
  'team/department/update': {
    request: named('name', byDepartment),
    outcome: admin,
    names: { id: 'department' },
  },
  'team/department/remove': {
    request: byDepartment,
    outcome: admin,
    names: { id: 'department' },
  },
  'team/department/member/add': {
    request: membership,
    outcome: admin,
    names: { id: 'department', email: 'email' },
    freshSignIn: true,
  },
  'team/department/member/remove': {
    request: afterGrant(membership),
    outcome: admin,
    names: { id: 'department', email: 'email' },
  },
};
