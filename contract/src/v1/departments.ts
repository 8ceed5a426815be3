/** Team: departments. Rows are in the order of the reference. */
import * as z from 'zod';
import { email, flag, id, name, number, page, search, unixtime } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const department = {
  id,
  name: z.string(),
  ldap: flag.describe('Imported from an identity provider through LDAP'),
  worker: flag.describe('Meant for workplaces'),
  create_time: unixtime,
  modify_time: unixtime,
};
const needs = [team('team_user_admin')] as const;

export const departments = operations({
  'team/department/list': {
    method: 'GET',
    says: 'List the departments.',
    input: z.object({ search: search.optional().describe('Part of the name'), ...page }),
    output: z.object({
      data: z.array(z.object({ ...department, size: number.describe('Number of members') })),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/department/info': {
    method: 'GET',
    says: 'Show one department with its members.',
    input: z.object({ id }),
    output: z.object({
      data: z.object({ ...department, members: z.array(z.object({ id, email: z.string() })) }),
    }),
    needs,
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 },
  },
  'team/department/create': {
    method: 'POST',
    says: 'Create a department.',
    input: z.object({ name, worker: flag.default(false).describe('Meant for workplaces') }),
    output: z.object({ id }),
    needs,
    status: { ok: 0, invalid: 1, forbidden: 6 },
  },
  'team/department/update': {
    method: 'POST',
    says: 'Change the name of a department.',
    input: z.object({ id, name: name.optional() }),
    output: emptyObject,
    needs,
    status: { ok: 0, invalid: 1, forbidden: 6, not_found: 1 },
  },
  'team/department/remove': {
    method: 'POST',
    says: 'Remove a department together with its grants.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status: { ok: 0, invalid: 1, forbidden: 8, not_found: 1 },
  },
  'team/department/member/add': {
    method: 'POST',
    says: 'Put a technician into a department.',
    input: z.object({ id: id.describe('Department'), email }),
    output: emptyObject,
    needs,
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 6 },
    freshSignIn: true,
  },
  'team/department/member/remove': {
    method: 'POST',
    says: 'Take a technician out of a department.',
    input: z.object({ id: id.describe('Department'), email }),
    output: emptyObject,
    needs,
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 6 },
  },
});
