/** Team: roles granted to technicians and departments. Rows are in the order of the reference. */
import * as z from 'zod';
import { email, flag, id, number, unixtime } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const entry = z.object({
  id: id.describe('Role identifier'),
  agent_id: id.optional().describe('Device the role applies to; only for a role with scope agent'),
  group_id: id.optional().describe('Group the role applies to; only for a role with scope group'),
  until: unixtime.optional().describe('When it ends; absent for an entry without an end'),
});
const memberEntry = entry.extend({
  default: flag.optional().describe('Only for an entry without device or group: true for a system role'),
});

const grant = {
  role_id: id,
  agent_id: id.optional().describe('Needed for a role with scope agent'),
  group_id: id.optional().describe('Needed for a role with scope group'),
};
const until = unixtime.optional().describe('When the access ends; without it, it does not');
const needs = [team('team_user_admin')] as const;
const status = { ok: 0, invalid: 1, forbidden: 6, not_found: 1 } as const;

export const access = operations({
  'team/member/access/list': {
    method: 'GET',
    says: 'List what a technician is granted.',
    input: z.object({ email: email.describe('Technician account or sent invitation') }),
    output: z.object({ data: z.object({ id: number, email: z.string(), roles: z.array(memberEntry) }) }),
    needs,
    status: { ok: 0, invalid: 1, forbidden: 1, not_found: 1 },
  },
  'team/member/access/add': {
    method: 'POST',
    says: 'Grant a role to a technician.',
    input: z.object({ email, ...grant, until }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
  'team/member/access/remove': {
    method: 'POST',
    says: 'Take a role from a technician.',
    input: z.object({ email, ...grant }),
    output: emptyObject,
    needs,
    status,
  },
  'team/department/access/list': {
    method: 'GET',
    says: 'List what a department is granted.',
    input: z.object({ id: id.describe('Department') }),
    output: z.object({ data: z.object({ id: number, roles: z.array(entry) }) }),
    needs,
    status: { ok: 0, invalid: 1, forbidden: 1, not_found: 1 },
  },
  'team/department/access/add': {
    method: 'POST',
    says: 'Grant a role to a department.',
    input: z.object({ department_id: id, ...grant, until }),
    output: emptyObject,
    needs,
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 },
    freshSignIn: true,
  },
  'team/department/access/remove': {
    method: 'POST',
    says: 'Take a role from a department.',
    input: z.object({ department_id: id, ...grant }),
    output: emptyObject,
    needs,
    status,
  },
});
