/** Test rows: roles. */
import type { roles } from '@drawbridge/contract/v1/roles';
import { uniqueText } from '../resources.ts';
import { nothing, byRole, withName } from './requests.ts';
import type { RowsOf } from './row.ts';
import { needsUserAdmin } from './rules.ts';

export const rolesRows: RowsOf<typeof roles> = {
  'team/role/list': { request: nothing, outcome: needsUserAdmin },
  'team/role/info': {
    request: byRole,
    outcome: needsUserAdmin,
    names: { id: 'role' },
  },
  'team/role/create': {
    request: async () => ({
      name: `new ${uniqueText()}`,
      type: 'agent',
      permission: ['agent_chat'],
    }),
    outcome: needsUserAdmin,
    freshSignIn: true,
  },
  'team/role/edit': {
    request: withName('name', byRole),
    outcome: needsUserAdmin,
    names: { id: 'role' },
    freshSignIn: true,
  },
  'team/role/remove': {
    request: byRole,
    outcome: needsUserAdmin,
    names: { id: 'role' },
    freshSignIn: true,
  },
};
