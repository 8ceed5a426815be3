/** Effective permissions, queried by person, device, group, department or role. */
import * as z from 'zod';
import { email, flag, id, unixtime } from '../fields.ts';
import { agent, emptyObject, team } from '../operation.ts';
import { panelRows, status } from './row.ts';

const through = z.object({
  role_id: id,
  role: z.string(),
  scope: z.enum(['agent', 'group', 'quick_support', 'team']),
  agent_id: id.optional(),
  group_id: id.optional(),
  group: z.string().optional(),
  department_id: id.optional().describe('Held through this department'),
  department: z.string().optional(),
  until: unixtime.optional().describe('When it ends'),
});
const held = z.object({
  permission: z.string(),
  through: z.array(z.int()).describe('Indexes into `reasons`: the grants that include it'),
});
const reasons = z.array(through).describe('The distinct grants');

export const panelAccess = panelRows({
  'access/entries': {
    method: 'GET',
    who: 'member',
    says: 'List the granted roles, with the person or department and the device or group of each.',
    input: z.object({
      agent_id: id.optional().describe('Only grants on this device'),
      group_id: id.optional().describe('Only grants on this group'),
      role_id: id.optional().describe('Only grants of this role'),
      email: email.optional().describe('Only grants to this person, without those to their departments'),
      department_id: id.optional().describe('Only grants to this department'),
    }),
    output: z.object({
      data: z.array(
        z.object({
          role_id: id,
          role: z.string(),
          type: z.enum(['agent', 'group', 'quick_support', 'team']),
          default: flag,
          email: z.string().optional().describe('The person it is granted to'),
          name: z.string().optional().describe('Their name; empty if they have not given one'),
          department_id: id.optional().describe('The department it is granted to'),
          department: z.string().optional(),
          agent_id: id.optional(),
          agent: z.string().optional(),
          group_id: id.optional(),
          group: z.string().optional(),
          until: unixtime.optional().describe('When it ends'),
        }),
      ),
    }),
    needs: [team('team_user_admin')],
    status,
  },
  'access/person': {
    method: 'GET',
    who: 'member',
    says: 'Show the permissions of a person on every device, and the grants they come from.',
    input: z.object({ email }),
    output: z.object({
      data: z.object({
        email: z.string(),
        owner: flag,
        reasons,
        rights: z.array(z.array(held)).describe('The distinct sets of permissions'),
        devices: z.array(z.object({ id, name: z.string(), group_id: z.int(), rights: z.int() })),
        team: z.array(held),
        support: z.array(held),
      }),
    }),
    needs: [team('team_user_admin')],
    status,
  },
  'access/device': {
    method: 'GET',
    who: 'member',
    says: 'Show the permissions of every person on a device, and the grants they come from.',
    input: z.object({ agent_id: id }),
    output: z.object({
      reasons,
      rights: z.array(z.array(held)).describe('The distinct sets of permissions'),
      data: z.array(
        z.object({
          email: z.string(),
          name: z.string().describe('Empty if they have not given one'),
          owner: flag,
          rights: z.int(),
        }),
      ),
    }),
    needs: [team('team_user_admin'), agent('exists', { id: 'agent_id' })],
    status,
  },
  'access/permissions': {
    method: 'GET',
    who: 'member',
    says: 'List the permissions by type of role, each with its description.',
    input: emptyObject,
    output: z.object({
      data: z.record(z.string(), z.array(z.object({ permission: z.string(), says: z.string() }))),
    }),
    needs: [],
    status,
  },
  'member/reset': {
    method: 'POST',
    who: 'fresh',
    says: 'Create a one-time link with which a technician sets a new password. The link is shown only once.',
    input: z.object({
      email,
      factors: flag
        .default(false)
        .describe('Also remove their authenticator app, recovery codes and passkeys'),
    }),
    output: z.object({ url: z.string(), mailed: flag }),
    needs: [team('team_user_admin')],
    status,
  },
});
