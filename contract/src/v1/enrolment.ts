/** Adding devices to an account. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { flag, id, number, secret, unixtime } from '../fields.ts';
import { agent, emptyObject, operations, team } from '../operation.ts';

const needs = [team('team_permanent_access')] as const;
const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;

const approveDevices = flag.describe('New devices wait for approval before they can be used');
const onetime_url = z
  .enum(['allow', 'forbid'])
  .describe('Whether devices have one-time URLs where neither device nor group says otherwise');
const record = flag.describe('Connections are recorded unless a link says otherwise');

export const enrolment = operations({
  'agents/enroll/create': {
    method: 'POST',
    says: 'Create a token with which devices join the account; it is shown once.',
    input: z.object({
      group_id: id.optional().describe('The group new devices are put into'),
      uses: z.int().min(1).max(100_000).default(1).describe('How many devices may use the token'),
      expires: unixtime.optional().describe('When the token stops working; a day from now when absent'),
    }),
    output: z.object({ id, token: secret(z.string()).describe('The token, shown once'), expires: unixtime }),
    needs,
    status,
  },
  'agents/enroll/list': {
    method: 'GET',
    says: 'List the tokens that are not used up, expired or revoked.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          email: z.string().describe('Who created it'),
          group_id: id.optional(),
          uses: number,
          uses_left: number,
          create_time: unixtime,
          expires: unixtime,
          active: flag.describe(
            'False while the person who created it may not add devices: no device can join with it',
          ),
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'agents/enroll/revoke': {
    method: 'POST',
    says: 'Revoke a token at once; devices that joined with it stay.',
    input: z.object({ id }),
    output: emptyObject,
    needs,
    status,
  },
  'agents/pending': {
    method: 'GET',
    says: 'List new devices that wait for approval.',
    input: emptyObject,
    output: z.object({
      data: z.array(
        z.object({
          id,
          device_id: id,
          name: z.string(),
          os: z.string(),
          ip: z.string(),
          link_time: unixtime,
        }),
      ),
    }),
    needs,
    status: { ok: null, forbidden: null },
  },
  'agents/approve': {
    method: 'POST',
    says: 'Approve a new device, where the account asks for it.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [team('team_permanent_access'), agent('exists', { id: 'id' })],
    status,
  },
  'account/info': {
    method: 'GET',
    says: 'Show the settings of the account.',
    input: emptyObject,
    output: z.object({
      data: z.object({
        approve_devices: approveDevices,
        record,
        onetime_url,
      }),
    }),
    needs: [team('team_user_admin')],
    status: { ok: null, forbidden: null },
  },
  'account/update': {
    method: 'POST',
    says: 'Change the settings of the account; only what is sent changes.',
    input: z.object({
      approve_devices: approveDevices.optional(),
      record: record.optional(),
      onetime_url: onetime_url.optional(),
    }),
    output: emptyObject,
    needs: [team('team_user_admin')],
    status: { ok: 0, invalid: 1, internal: 2, forbidden: 8 },
  },
});
