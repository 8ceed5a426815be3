/** Team: access for a while. People ask for a role with a reason, and others decide. Not part of the reference. */
import * as z from 'zod';
import { email, flag, id, number, page, reason, unixtime } from '../fields.ts';
import { emptyObject, operations, team } from '../operation.ts';

/** The longest access that an account can allow: a week. */
const longest = 10_080;

const minutes = z.int(`must be a whole number from 1 to ${longest}`).min(1).max(longest);
const wanted = {
  role_id: id.describe('A role of type agent or group'),
  agent_id: id.optional().describe('Needed for a role with scope agent'),
  group_id: id.optional().describe('Needed for a role with scope group'),
  reason: reason.describe('Shown to those who decide, in the history and on the device'),
  minutes: minutes.describe('How long the access lasts'),
};
const state = z.enum(['waiting', 'approved', 'denied', 'withdrawn', 'expired', 'ended']);
const needs = [team('team_user_admin')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

export const accessRequests = operations({
  'team/access/request/create': {
    method: 'POST',
    says: 'Ask for a role on a device or group that you see, for a while.',
    input: z.object(wanted),
    output: z.object({ id }),
    needs: [{ on: 'visible' }],
    status,
  },
  'team/access/request/list': {
    method: 'GET',
    says: 'List requests for access, newest first: your own, and everyone’s if you may decide about them.',
    input: z.object({
      state: state.optional().describe('Only requests in this state'),
      own: flag.default(false).describe('Only your own'),
      ...page,
    }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id,
          state: state.describe(
            '`approved` while the access lasts, then `ended`; `expired` if nobody answered',
          ),
          email: email.describe('Who asks'),
          role_id: id,
          role: z.string(),
          permission: z
            .array(z.string())
            .describe('What the role permitted when it was asked for: an approval gives nothing else'),
          agent_id: id.optional(),
          agent: z.string().optional(),
          group_id: id.optional(),
          group: z.string().optional(),
          reason: z.string(),
          minutes: number,
          emergency: flag.describe('True if the person gave themselves access in an emergency'),
          create_time: unixtime,
          expire_time: unixtime.describe('Until when it can be approved'),
          decided_by: z.string().optional().describe('The e-mail address of the person who decided'),
          decide_time: unixtime.optional(),
          decision: z.string().describe('Why it was denied'),
          until: unixtime.optional().describe('When the access ends or ended'),
        }),
      ),
    }),
    needs: [{ on: 'requests' }],
    status: { ok: null },
  },
  'team/access/request/options': {
    method: 'GET',
    says: 'List the roles that you can ask for, at most 200 of each type, and for how long.',
    input: emptyObject,
    output: z.object({
      max_minutes: number.describe('0 if the account takes no requests'),
      emergency: flag.describe('Whether emergency access is allowed'),
      data: z.array(
        z.object({ id, name: z.string(), type: z.enum(['agent', 'group']), permission: z.array(z.string()) }),
      ),
    }),
    needs: [{ on: 'visible' }],
    status: { ok: null },
  },
  'team/access/request/approve': {
    method: 'POST',
    says: 'Approve a request for access of somebody else: the access begins now, unless the role permits something else than when it was asked for (`role_changed`).',
    input: z.object({ id, minutes: minutes.optional().describe('Shorter than was asked') }),
    output: z.object({ until: unixtime }),
    needs,
    status,
    freshSignIn: true,
  },
  'team/access/request/deny': {
    method: 'POST',
    says: 'Deny a request for access of somebody else.',
    input: z.object({ id, reason: reason.describe('Why; the person sees it') }),
    output: emptyObject,
    needs,
    status,
  },
  'team/access/request/cancel': {
    method: 'POST',
    says: 'Withdraw a request for access that waits, or end the access that it gave.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [{ on: 'requests' }],
    status,
  },
  'team/access/emergency': {
    method: 'POST',
    says: 'Give yourself a role on a device or group that you see, at once, in an emergency.',
    input: z.object(wanted),
    output: z.object({ id, until: unixtime }),
    needs: [{ on: 'visible' }],
    status,
    freshSignIn: true,
  },
  'team/access/request/settings': {
    method: 'POST',
    says: 'Set how long people can ask for access, and whether they can take it in an emergency.',
    input: z.object({
      max_minutes: z
        .int(`must be a whole number from 0 to ${longest}`)
        .min(0)
        .max(longest)
        .optional()
        .describe('0 takes no requests; 480 at first'),
      emergency: flag.optional().describe('Only the owner of the account can change it; false at first'),
    }),
    output: emptyObject,
    needs,
    status,
    freshSignIn: true,
  },
});
