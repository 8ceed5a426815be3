/** Test rows: roles. */
import type { roles } from '@drawbridge/contract/v1/roles';
import { uniqueText } from '../resources.ts';
import { nothing, byRole, named } from './requests.ts';
import type { RowsOf } from './row.ts';
import { admin } from './rules.ts';

export const rolesRows: RowsOf<typeof roles> = {
  'team/role/list': { request: nothing, outcome: admin },
  'team/role/info': {
    request: byRole,
    outcome: admin,
    names: { id: 'role' },
  },
  'team/role/create': {
    request: async () => ({
      name: `new ${uniqueText()}`,
      type: 'agent',
      permission: ['agent_chat'],
    }),
    outcome: admin,
    freshSignIn: true,
  },
  'team/role/edit': {
    request: named('name', byRole),
    outcome: admin,
    names: { id: 'role' },
    freshSignIn: true,
  },
  'team/role/remove': {
    request: byRole,
    outcome: admin,
    names: { id: 'role' },
    freshSignIn: true,
  },
};
