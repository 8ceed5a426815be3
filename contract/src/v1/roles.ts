/** Team: roles. Note that here status 6 means insufficient rights. Rows are in the order of the reference. */
import * as z from 'zod';
import { description, flag, id, name, page, search } from '../fields.ts';
import { list } from '../list.ts';
import { emptyObject, operations, team } from '../operation.ts';
import { roleTypes } from '../permissions.ts';

const type = z.enum(roleTypes, `must be one of ${roleTypes.join(', ')}`).describe('Role type');
const permission = list(z.string().max(64), { max: 64 }).describe(
  'Permissions allowed for the type of the role',
);
const status = { ok: 0, invalid: 1, forbidden: 6, not_found: 1 } as const;
const needs = [team('team_user_admin')] as const;

export const roles = operations({
  'team/role/list': {
    method: 'GET',
    says: 'List the roles of the team.',
    input: z.object({
      search: search.optional().describe('Part of the name'),
      type: type.optional(),
      ...page,
    }),
    output: z.object({
      data: z.array(z.object({ id, name: z.string(), type, permission: z.array(z.string()), default: flag })),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/role/info': {
    method: 'GET',
    says: 'Show one role.',
    input: z.object({ id }),
    output: z.object({
      data: z.object({
        id,
        name: z.string(),
        type,
        description: z.string(),
        default: flag.describe('True for a system role'),
        permission: z.array(z.string()),
      }),
    }),
    needs,
    status: { ok: null, forbidden: null, not_found: null },
  },
  'team/role/create': {
    method: 'POST',
    says: 'Create a custom role.',
    input: z.object({ name, description: description.default(''), type, permission: permission.default([]) }),
    output: z.object({ id }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/role/edit': {
    method: 'POST',
    says: 'Change a custom role; only what is sent changes.',
    input: z.object({
      id,
      name: name.optional(),
      description: description.optional(),
      permission: permission.optional(),
    }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/role/remove': {
    method: 'POST',
    says: 'Remove a custom role together with its grants.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
});
