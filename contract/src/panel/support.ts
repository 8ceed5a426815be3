/** What the panel shows about invitations beyond the API: who created them. */
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
});
