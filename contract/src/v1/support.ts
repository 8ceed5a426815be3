/** Quick support: invitations. Rows are in the order of the reference. */
import * as z from 'zod';
import { clientName, flag, id, number, secret, unixtime } from '../fields.ts';
import { emptyObject, operations } from '../operation.ts';

const connection = z.object({
  id,
  status: z.int().min(0).max(3).describe('0 new, 1 the client joined, 2 active, 3 closed'),
  create_time: unixtime,
  invite_code: z.string().describe('Invitation code, 9 digits'),
  invite_url: z.string().describe('URL for the client to accept the invitation'),
  connect_url: z
    .string()
    .describe(
      'URL for the operator to join the connection: for who is signed in at the panel, and once for somebody without an account, with what the caller may do; empty without `agent_connect`',
    ),
  client_name: z.string().describe('Client name; visible only to the account owner'),
  client_os: z.enum(['win', 'mac', 'linux', 'android', '']).describe('Empty until the client has joined'),
  client_preview_url: z
    .string()
    .describe(
      "Thumbnail of the client's desktop; empty until the client has joined, and without `agent_preview`",
    ),
});

const connection_id = id.describe('Connection identifier');
/** Secret because only the owner may see it; other people can read the audit log. */
const name = secret(clientName);

export const support = operations({
  'support/list': {
    method: 'GET',
    says: 'List the open invitations, newest first.',
    input: emptyObject,
    output: z.object({ remain: number.describe('Connections left in the plan'), data: z.array(connection) }),
    needs: [{ on: 'invitations' }],
    status: { ok: null, forbidden: null },
  },
  'support/info': {
    method: 'GET',
    says: 'Show one invitation.',
    input: z.object({ connection_id }),
    output: z.object({ data: connection }),
    needs: [{ on: 'invitation', by: 'connection_id' }],
    status: { ok: null, not_found: null, forbidden: null },
  },
  'support/create': {
    method: 'POST',
    from: 'query',
    says: 'Invite a client to a quick-support connection.',
    input: z.object({ client_name: name.default('').describe('Client name') }),
    output: z.object({ data: connection }),
    needs: [{ on: 'invitations' }],
    status: { ok: null, forbidden: null, not_found: null, plan_exceeded: null },
  },
  'support/update': {
    method: 'POST',
    says: 'Change the client name of an invitation.',
    input: z.object({ connection_id, name: name.optional().describe('Client name') }),
    output: emptyObject,
    needs: [{ on: 'invitation', by: 'connection_id' }],
    status: { ok: 0, internal: 4, invalid: 1, not_found: 1, forbidden: 1 },
  },
  'support/connect': {
    method: 'POST',
    from: 'query',
    says: 'Create a single-use link for the operator to join the connection.',
    input: z.object({ connection_id, video: flag.optional().describe('Manual switch of video recording') }),
    output: z.object({ data: z.object({ url: z.string().describe('Single-use operator link') }) }),
    needs: [{ on: 'invitation', by: 'connection_id', permission: 'agent_connect' }],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
  'support/close': {
    method: 'POST',
    from: 'query',
    says: 'Close a connection: both sides are disconnected and its links stop working.',
    input: z.object({ connection_id }),
    output: emptyObject,
    silent: true,
    needs: [{ on: 'invitation', by: 'connection_id' }],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
});
