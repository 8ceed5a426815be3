/** Active sessions: who is connected, how to end a session, and its note. */
import * as z from 'zod';
import { description, id, number, page, unixtime } from '../fields.ts';
import { emptyObject, operations, session } from '../operation.ts';

const status = { ok: 0, internal: 2, invalid: 1, not_found: 6, forbidden: 8 } as const;
const byId = id.describe('Connection identifier, as in sessions/list and history/list');

export const sessions = operations({
  'sessions/list': {
    method: 'GET',
    says: 'List the connections that run now, newest first.',
    input: z.object({
      agent_id: id.optional().describe('Only connections to this device'),
      support_id: id.optional().describe('Only connections of this invitation'),
      ...page,
    }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id,
          start: unixtime,
          agent_id: id.optional(),
          support_id: id.optional(),
          name: z.string().describe('Name of the device; empty for an invitation'),
          login: z
            .string()
            .describe('Whose link was used; empty for somebody with the password of the device'),
          ip: z.string().describe('Where they connect from'),
          user_agent: z.string(),
        }),
      ),
    }),
    needs: [{ on: 'history' }],
    status: { ok: null, invalid: null },
  },
  'sessions/close': {
    method: 'POST',
    says: 'End a connection that runs: both sides are disconnected.',
    input: z.object({ id: byId }),
    output: emptyObject,
    needs: [session('agent_connect', 'id')],
    status,
  },
  'sessions/note': {
    method: 'POST',
    says: 'Write down something about a connection, past or running.',
    input: z.object({ id: byId, note: description.describe('Replaces what was written before') }),
    output: emptyObject,
    needs: [session('agent_connect', 'id')],
    status,
  },
});
