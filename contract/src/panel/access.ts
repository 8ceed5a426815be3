/** Effective permissions, queried by person, device, group, department or role. */
import * as z from 'zod';
import { email, flag, id } from '../fields.ts';
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
});
const held = z.object({
  permission: z.string(),
  through: z.array(z.int()).describe('Which of `reasons` give it'),
});
const reasons = z.array(through).describe('Grants, each named once');

export const panelAccess = panelRows({
  'access/entries': {
    method: 'GET',
    who: 'member',
    says: 'List every granted role: to whom, and on what.',
    input: z.object({
      agent_id: id.optional().describe('Only those on this device'),
      group_id: id.optional().describe('Only those on this group'),
      role_id: id.optional().describe('Only those of this role'),
      email: email.optional().describe('Only those of this person, without those of their departments'),
      department_id: id.optional().describe('Only those of this department'),
    }),
    output: z.object({
      data: z.array(
        z.object({
          role_id: id,
          role: z.string(),
          type: z.enum(['agent', 'group', 'quick_support', 'team']),
          default: flag,
          email: z.string().optional().describe('The person it is granted to'),
          department_id: id.optional().describe('The department it is granted to'),
          department: z.string().optional(),
          agent_id: id.optional(),
          agent: z.string().optional(),
          group_id: id.optional(),
          group: z.string().optional(),
        }),
      ),
    }),
    needs: [team('team_user_admin')],
    status,
  },
  'access/person': {
    method: 'GET',
    who: 'member',
    says: 'Show what one person may do on every device, and why.',
    input: z.object({ email }),
    output: z.object({
      data: z.object({
        email: z.string(),
        owner: flag,
        reasons,
        rights: z.array(z.array(held)).describe('Sets of permissions, each named once'),
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
    says: 'Show who may do what on one device, and why.',
    input: z.object({ agent_id: id }),
    output: z.object({
      reasons,
      rights: z.array(z.array(held)).describe('Sets of permissions, each named once'),
      data: z.array(z.object({ email: z.string(), owner: flag, rights: z.int() })),
    }),
    needs: [team('team_user_admin'), agent('exists', { id: 'agent_id' })],
    status,
  },
  'access/permissions': {
    method: 'GET',
    who: 'member',
    says: 'Show the catalogue of permissions by type of role, each with its sentence.',
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
    says: 'Make a one-use link with which a technician sets a new password; it is shown once.',
    input: z.object({
      email,
      factors: flag
        .default(false)
        .describe('Also forget their authenticator app, recovery codes and passkeys'),
    }),
    output: z.object({ url: z.string(), mailed: flag }),
    needs: [team('team_user_admin')],
    status,
  },
});
