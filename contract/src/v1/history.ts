/** Connection history. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { email, flag, id, number, page, unixtime } from '../fields.ts';
import { emptyObject, operations, session } from '../operation.ts';

const filter = {
  kind: z.enum(['agent', 'support']).optional().describe('Only connections to devices, or of invitations'),
  agent_id: id.optional().describe('Only connections to this device'),
  support_id: id.optional().describe('Only connections of this invitation'),
  date_from: unixtime.optional().describe('Only connections that started then or later'),
  date_to: unixtime.optional().describe('Only connections that started then or earlier'),
  video: flag.optional().describe('Only connections with, or without, a recording'),
  email: email.optional().describe('Only connections of this person'),
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
          video: z
            .object({
              url: z.string().describe('A page that plays it, for nobody but the person who asked'),
              size: number.describe('Bytes'),
            })
            .optional()
            .describe('The recording; absent where there is none'),
          note: z.string().optional().describe('What was written down about it; absent where nothing was'),
          reason: z
            .string()
            .optional()
            .describe('Why the person was given access for a while; absent where it lasts'),
          ended_by: z
            .enum(['operator', 'device', 'server', 'lost'])
            .optional()
            .describe('Who ended it; `lost` when it was cut and nobody came back. Absent while it runs'),
          bytes: number.describe(
            'What went between both sides, in both directions; counted every five seconds while it runs',
          ),
        }),
      ),
    }),
    needs: [{ on: 'history' }],
    status: { ok: null, invalid: null },
  },
  'history/export': {
    method: 'GET',
    says: 'Download past and running connections as a table, newest first.',
    answers: 'bytes',
    media: 'text/csv',
    input: z.object(filter),
    output: emptyObject,
    needs: [{ on: 'history' }],
    status: { ok: null, invalid: null },
  },
  'history/video/remove': {
    method: 'POST',
    says: 'Remove the recording of a past connection for good.',
    input: z.object({ id: id.describe('Connection identifier, as in history/list') }),
    output: emptyObject,
    needs: [session('agent_remove_video', 'id', 'agent_remove_video')],
    status: { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 },
  },
});
