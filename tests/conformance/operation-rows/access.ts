/** Test rows: roles granted to technicians and departments. */
import type { access } from '@drawbridge/contract/v1/access';
import { byDepartment, byEmail, departmentGrantRequest, grantRequest, afterGrant } from './requests.ts';
import type { RowsOf } from './row.ts';
import { needsUserAdmin } from './rules.ts';

export const accessRows: RowsOf<typeof access> = {
  'team/member/access/list': {
    request: byEmail,
    outcome: needsUserAdmin,
    names: { email: 'email' },
  },
  'team/member/access/add': {
    request: grantRequest,
    outcome: needsUserAdmin,
    names: { email: 'email', role_id: 'role', agent_id: 'agent', group_id: 'group' },
    freshSignIn: true,
  },
  'team/member/access/remove': {
    request: afterGrant(grantRequest),
    outcome: needsUserAdmin,
    names: { email: 'email', role_id: 'role', agent_id: 'agent', group_id: 'group' },
  },
  'team/department/access/list': {
    request: byDepartment,
    outcome: needsUserAdmin,
    names: { id: 'department' },
  },
  'team/department/access/add': {
    request: departmentGrantRequest,
    outcome: needsUserAdmin,
    names: { department_id: 'department', role_id: 'role', agent_id: 'agent', group_id: 'group' },
    freshSignIn: true,
  },
  'team/department/access/remove': {
    request: afterGrant(departmentGrantRequest),
    outcome: needsUserAdmin,
    names: { department_id: 'department', role_id: 'role', agent_id: 'agent', group_id: 'group' },
  },
};
