/** Files attached to a device, such as a manual, a licence or a photo. Not part of the reference, but in the same style. */
import * as z from 'zod';
import { description, id, name, number, page, unixtime, withoutTurning } from '../fields.ts';
import { agent, file, emptyObject, operations } from '../operation.ts';

const fileName = withoutTurning(name);
const mediaType = z
  .string()
  .max(127)
  .regex(/^[\w.+-]{1,63}\/[\w.+-]{1,63}$/, 'must be a media type such as application/pdf');

const status = { ok: 0, invalid: 1, internal: 2, not_found: 6, forbidden: 8 } as const;
const sha256 = z.string().describe('SHA-256 of the bytes, 64 hexadecimal digits');
const size = number.describe('Bytes');

export const files = operations({
  'agents/files/list': {
    method: 'GET',
    says: 'List the files that are attached to the device, oldest first.',
    input: z.object({ agent_id: id, ...page }),
    output: z.object({
      total: number,
      data: z.array(
        z.object({
          id,
          name: z.string(),
          size,
          sha256,
          type: z.string().describe('Media type, as it was told when the file was attached'),
          note: z.string(),
          time: unixtime.describe('When it was attached'),
          author: z.string().describe('E-mail address of who attached it'),
        }),
      ),
    }),
    needs: [agent('any', { id: 'agent_id' })],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
  'agents/files/add': {
    method: 'POST',
    says: 'Attach a file to the device.',
    from: 'query',
    body: 'bytes',
    input: z.object({
      agent_id: id,
      name: fileName.describe('What the file is called; it is no path'),
      type: mediaType.default('application/octet-stream').describe('Media type'),
      note: description.default('').describe('What it is for'),
    }),
    output: z.object({ id, size, sha256 }),
    needs: [agent('agent_change_settings', { id: 'agent_id' })],
    status: { ...status, plan_exceeded: 1 },
  },
  'agents/files/remove': {
    method: 'POST',
    says: 'Remove an attached file.',
    input: z.object({ id }),
    output: emptyObject,
    needs: [file('agent_change_settings', 'id')],
    status,
  },
  'agents/files/get': {
    method: 'GET',
    says: 'Download an attached file.',
    answers: 'bytes',
    input: z.object({ id }),
    output: emptyObject,
    needs: [file('any', 'id')],
    status: { ok: null, invalid: null, not_found: null, forbidden: null },
  },
});
