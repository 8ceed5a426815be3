/** Connection history. Not in the reference; the same style. */
import { z } from 'zod';
import { flag, id, number, page, unixtime } from '../fields.ts';
import { operations } from '../operation.ts';

const filter = {
  agent_id: id.optional().describe('Only connections to this device'),
  support_id: id.optional().describe('Only connections of this invitation'),
  date_from: unixtime.optional().describe('Only connections that started then or later'),
  date_to: unixtime.optional().describe('Only connections that started then or earlier'),
  video: flag.optional().describe('Only connections with, or without, a recording'),
};
const geo = z.object({ ip: z.string(), country: z.string(), region: z.string(), city: z.string() });

export const history = operations({
  'history/list': {
    method: 'GET',
    says: 'List past and running connections, newest first.',
    input: z.object({ ...filter, ...page }),
    output: z.object({
      offset: number,
      limit: number,
      total: number,
      filter: z.object(filter),
      data: z.array(
        z.object({
          id,
          start: unixtime,
          stop: unixtime.optional().describe('Absent while the connection is active'),
          support_id: id.optional(),
          client: z.array(z.object({ user_agent: z.string(), login: z.string(), geo })),
          agent: z
            .object({
              id,
              name: z.string(),
              group: z.string(),
              geo,
              os: z.string(),
              version: z.string(),
              owner: z.string(),
            })
            .optional(),
          video: z.object({ url: z.string(), size: number }).optional(),
        }),
      ),
    }),
    needs: [{ on: 'history' }],
    status: { ok: null, invalid: null },
  },
});
