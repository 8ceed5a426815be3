/** Team: the people of the account, and the effective permissions of one of them. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { email, flag, id, number, page, search, unixtime } from '../fields.ts';
import { agent, emptyObject, operations, team } from '../operation.ts';

const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;
const needs = [team('team_user_admin')] as const;

export const members = operations({
  'team/member/list': {
    method: 'GET',
    says: 'List the people of the account.',
    input: z.object({ search: search.optional().describe('Part of the e-mail address'), ...page }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id,
          email: z.string(),
          owner: flag,
          state: z
            .enum(['invited', 'active', 'disabled'])
            .describe('`disabled`: their directory has disabled them, or they left it'),
          create_time: unixtime,
          departments: z.array(z.object({ id, name: z.string() })),
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'team/member/invite': {
    method: 'POST',
    says: 'Invite a technician; the link in the answer is shown once and makes the account theirs.',
    input: z.object({ email }),
    output: z.object({
      id,
      url: z
        .string()
        .optional()
        .describe(
          'One-use link for the technician, valid for 7 days and as long as they hold no right that you lack. Absent where they do already: then it is sent to them alone',
        ),
      mailed: flag
        .optional()
        .describe(
          'Where the server has mail: whether a link of their own was sent to them, which any of the two ends',
        ),
    }),
    needs,
    status,
  },
  'team/member/remove': {
    method: 'POST',
    says: 'Remove a technician; their keys, grants and links stop working at once.',
    input: z.object({ email }),
    output: emptyObject,
    needs,
    status,
  },
  'team/access/effective': {
    method: 'GET',
    says: 'Show what a person may do on a device, and through which grant.',
    input: z.object({ email, agent_id: id }),
    output: z.object({
      data: z.object({
        id: id.describe('The person'),
        email: z.string(),
        agent_id: id,
        owner: flag.describe('The owner may do everything'),
        permissions: z.array(
          z.object({
            permission: z.string(),
            says: z.string(),
            through: z.array(
              z.object({
                role_id: id,
                role: z.string(),
                scope: z.enum(['agent', 'group']),
                group_id: id.optional(),
                department_id: id.optional().describe('Held through this department'),
                until: unixtime.optional().describe('When it ends'),
              }),
            ),
          }),
        ),
      }),
    }),
    needs: [team('team_user_admin'), agent('exists', { id: 'agent_id' })],
    status: { ok: 0, invalid: 1, not_found: 6, forbidden: 8 },
  },
});
