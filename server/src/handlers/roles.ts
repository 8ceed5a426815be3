/** Team: roles. One function per row of contract/src/v1/roles.ts. */
import { fault } from '@drawbridge/contract/faults';
import type { roles as table } from '@drawbridge/contract/v1/roles';
import {
  invalidPermissionFault,
  findInvalidPermission,
  normalizePermissions,
} from '../domain/people/roles.ts';
import type { Handlers } from './handler.ts';

export const roleHandlers: Handlers<typeof table> = {
  'team/role/list': async ({ actor, input }, { store }) => {
    const found = await store.roles.list(actor.accountId, input);
    return {
      data: found.map((role) => ({
        id: role.id,
        name: role.name,
        type: role.type,
        permission: [...role.permissions],
        default: role.system,
      })),
    };
  },

  'team/role/info': async ({ actor, input }, { store }) => {
    const role = await store.roles.find(actor.accountId, input.id);
    if (!role) return fault('not_found', { field: 'id' });
    const { id, name, type, description, system, permissions } = role;
    return { data: { id, name, type, description, default: system, permission: [...permissions] } };
  },

  'team/role/create': async ({ actor, input: { name, type, description, permission }, change }) => {
    const stray = findInvalidPermission(type, permission);
    if (stray !== undefined) return invalidPermissionFault(stray, type);
    const permissions = normalizePermissions(type, permission);
    return change('roles/create', { accountId: actor.accountId, name, type, description, permissions });
  },

  'team/role/edit': async ({ actor, input: { permission, ...rest }, change }) =>
    change('roles/edit', {
      accountId: actor.accountId,
      by: actor.memberId,
      ...rest,
      permissions: permission,
    }),

  'team/role/remove': async ({ actor, input, change }) =>
    change('roles/remove', { accountId: actor.accountId, id: input.id }),
};
