/** Devices: the second person on devices with four eyes. Not part of the reference. */
import * as z from 'zod';
import { id, unixtime } from '../fields.ts';
import { agent, operations } from '../operation.ts';
import { maxApprovalLength } from '../session/approval.ts';

export const approvals = operations({
  'agents/approval/list': {
    method: 'GET',
    says: 'List the sessions that wait for a second person on devices with four eyes.',
    input: z.object({
      agent_id: id
        .optional()
        .describe('Device. Without it: the newest 50 sessions of others on all devices that answer'),
    }),
    output: z.object({
      data: z.array(
        z.object({
          agent_id: id,
          session: id,
          operator: z.string().describe('Who wants to connect, as the server named them to the device'),
          expire_time: unixtime.describe('Until when the session waits'),
          statement: z
            .string()
            .describe(
              'What is to be signed, in base64url. Sign it only with a program that shows its content',
            ),
        }),
      ),
    }),
    needs: [{ on: 'agents', by: 'agent_id' }],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
  'agents/approval/sign': {
    method: 'POST',
    says: 'Give the device the signed approval of a second person, which it checks before it opens the session.',
    input: z.object({
      agent_id: id,
      approval: z
        .string()
        .min(1)
        .max(maxApprovalLength)
        .describe(
          'The statement, a dot, and the Ed25519 signature in base64url: drawbridge approve creates it',
        ),
    }),
    output: z.object({ approver: z.string().describe('The name of the approver on the device') }),
    needs: [agent('any', { id: 'agent_id' })],
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 },
  },
});
