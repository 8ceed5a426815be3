/** What the panel shows about invitations beyond the API: who created them, and the names of past clients. */
import * as z from 'zod';
import { id } from '../fields.ts';
import { emptyObject } from '../operation.ts';
import { panelRows, status } from './row.ts';

export const panelSupport = panelRows({
  'support/creators': {
    method: 'GET',
    who: 'member',
    says: 'Show who created each open invitation that the caller may see.',
    input: emptyObject,
    output: z.object({
      data: z
        .array(z.object({ connection_id: id, email: z.string() }))
        .describe('Without invitations whose creator has left the account'),
    }),
    needs: [{ on: 'invitations' }],
    status,
  },
  'support/clients': {
    method: 'GET',
    who: 'member',
    says: 'Show the names of the clients of invitations, open or closed. Only the owner of the account sees them.',
    input: z.object({
      ids: z
        .string()
        .regex(/^[1-9][0-9]{0,15}(,[1-9][0-9]{0,15}){0,99}$/, 'must be ids with commas between them')
        .describe('At most 100 ids, separated by commas'),
    }),
    output: z.object({
      data: z
        .array(z.object({ connection_id: id, client_name: z.string() }))
        .describe('Without invitations whose client has no name'),
    }),
    needs: [{ on: 'invitations' }],
    status,
  },
});
