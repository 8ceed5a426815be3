/** Test rows: roles granted to technicians and departments. */
import type { access } from '@drawbridge/contract/v1/access';
import { byDepartment, byEmail, departmentGrant, grant, afterGrant } from './requests.ts';
import type { RowsOf } from './row.ts';
import { admin } from './rules.ts';

export const accessRows: RowsOf<typeof access> = {
  'team/member/access/list': {
    request: byEmail,
    outcome: admin,
    names: { email: 'email' },
  },
  'team/member/access/add': {
    request: grant,
    outcome: admin,
    names: { email: 'email', role_id: 'role', agent_id: 'agent', group_id: 'group' },
    freshSignIn: true,
  },
  'team/member/access/remove': {
    request: afterGrant(grant),
    outcome: admin,
    names: { email: 'email', role_id: 'role', agent_id: 'agent', group_id: 'group' },
  },
  'team/department/access/list': {
    request: byDepartment,
    outcome: admin,
    names: { id: 'department' },
  },
  'team/department/access/add': {
    request: departmentGrant,
    outcome: admin,
    names: { department_id: 'department', role_id: 'role', agent_id: 'agent', group_id: 'group' },
    freshSignIn: true,
  },
  'team/department/access/remove': {
    request: afterGrant(departmentGrant),
    outcome: admin,
    names: { department_id: 'department', role_id: 'role', agent_id: 'agent', group_id: 'group' },
  },
};
