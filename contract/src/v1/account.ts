/** The account: its plan and its audit log. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { email, flag, id, number, page, unixtime } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

const meter = z.object({
  limit: number.optional().describe('Absent when unlimited'),
  used: number,
});

export const account = operations({
  'plan/info': {
    method: 'GET',
    says: 'Show the plan of the account and what is used of it.',
    input: z.object({}),
    output: z.object({
      data: z.object({
        computers: meter,
        invitations: meter.extend({ resets: unixtime }).describe('Per calendar month, UTC'),
        files: meter,
        requests: meter.extend({ resets: unixtime }).describe('Per hour'),
        recording_mb: meter,
      }),
    }),
    needs: [team('team_billing_admin')],
    status: { ok: null, forbidden: null },
  },
  'audit/list': {
    method: 'GET',
    says: 'List what was done and refused in the account, newest first.',
    input: z.object({
      operation: z.string().max(64).optional().describe('Only this operation, like agents/reboot'),
      email: email.optional().describe('Only what this person did'),
      date_from: unixtime.optional(),
      date_to: unixtime.optional(),
      ...page,
    }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id: id.describe('Position in the chain'),
          time: unixtime,
          email: z.string(),
          address: z.string(),
          operation: z.string(),
          says: z.string(),
          outcome: z.string().describe('done, or the code of the refusal'),
          input: z.record(z.string(), z.unknown()).describe('What was asked, less its secrets'),
          hash: z.string(),
        }),
      ),
    }),
    needs: [team('team_security_log_admin')],
    status: { ok: null, forbidden: null },
  },
  'audit/verify': {
    method: 'GET',
    says: 'Check that every line of the audit log is as it was written.',
    input: emptyObject,
    output: z.object({
      data: z.object({
        intact: flag,
        lines: number.describe('How many lines are in order, from the first on'),
        checked_to: number.describe('The last line that was looked at, by its position in the chain'),
        broken_at: number
          .optional()
          .describe('The first line that was changed, is missing or was put there; absent when intact'),
      }),
    }),
    needs: [team('team_security_log_admin')],
    status: { ok: null, forbidden: null },
  },
});
