/** Files attached to devices. One function per row of contract/src/v1/files.ts. */
import { fault, isFault, type Fault } from '@drawbridge/contract/faults';
import type { files as table } from '@drawbridge/contract/v1/files';
import type { AttachedFile } from '../store/records.ts';
import type { Handlers } from './handler.ts';
import { ignoreOutage } from '../store/outages.ts';

export const fileHandlers: Handlers<typeof table> = {
  'agents/files/list': async ({ granted: [agent], input: { offset, limit } }, { store }) => {
    const found = await store.files.list(agent.accountId, agent.id, { offset, limit });
    return { total: found.total, data: found.files.map(view) };
  },

  'agents/files/add': async ({ actor, granted: [agent], input, incoming, change }, { store, blobs }) => {
    const { accountId } = agent;
    if ((incoming.length ?? 0) > blobs.largest) return tooLarge(blobs.largest);
    // The change below checks the limit again; this check only avoids an upload that would be refused.
    if (((await store.files.remaining(accountId)) ?? 1) <= 0) return planFull;
    const put = await blobs.put(accountId, incoming.bytes);
    if (put === 'broken') return broken;
    if (put === 'too_large') return tooLarge(blobs.largest);
    const { blobKey, size, digest } = put;
    const { name, type, note } = input;
    const row = { accountId, agentId: agent.id, name, type, note, author: actor.email };
    const added = size === 0 ? empty : await change('files/add', { ...row, blobKey, size, digest });
    if (!isFault(added)) return { id: added.id, size, sha256: digest };
    await blobs.remove(accountId, blobKey).catch(ignoreOutage);
    return added.fault === 'plan_exceeded' ? planFull : added;
  },

  'agents/files/remove': async ({ granted: [file], change }, { blobs }) => {
    const removed = await change('files/remove', { accountId: file.accountId, id: file.id });
    if (isFault(removed)) return removed;
    // If the storage is away, the sweep removes it later.
    await blobs.remove(file.accountId, removed.blobKey).catch(ignoreOutage);
    return {};
  },

  'agents/files/get': async ({ granted: [{ accountId, blobKey, name, size, digest }] }, { blobs }) => {
    const bytes = await blobs.open(accountId, blobKey, size);
    return bytes ? { file: { name, size, digest, ...bytes } } : missing;
  },
};

const view = ({ id, name, size, digest, type, note, time, author }: AttachedFile) => ({
  id,
  name,
  size,
  sha256: digest,
  type,
  note,
  time,
  author,
});

const planFull = fault('plan_exceeded', {
  message: 'The account already has as many attached files as its plan allows.',
});
const empty = fault('invalid', {
  code: 'empty_file',
  field: 'body',
  message: 'The body is empty. Send the file as the body.',
});
const broken = fault('invalid', {
  code: 'broken_upload',
  field: 'body',
  message: 'The upload was interrupted. The file was not saved.',
});
const missing = fault('not_found', {
  code: 'bytes_missing',
  message: 'The content of the file is missing on this server.',
});

const tooLarge = (largest: number): Fault<'invalid'> =>
  fault('invalid', {
    code: 'file_too_large',
    field: 'body',
    message: `A file must not be larger than ${Math.floor(largest / 1_048_576)} MB.`,
  });
