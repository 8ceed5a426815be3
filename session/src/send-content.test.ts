/** Sending the content of a file: all of it is read and hashed, what the receiver lacks is sent, and a stop ends it. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashBlockBytes } from '@drawbridge/contract/session/messages';
import { sendContent, type OutgoingContent } from './send-content.ts';
import { createSendWindow } from './send-window.ts';

const content = randomBytes(2 * hashBlockBytes + 7);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A receiver that acknowledges every chunk, and a disk that gives at most `readBytes` at once. */
function openTransfer(options: Partial<OutgoingContent> = {}, readBytes = Infinity) {
  const hash = createHash('sha256');
  const chunks: { at: number; data: Uint8Array }[] = [];
  const window = createSendWindow(() => performance.now()).join();
  const transfer: OutgoingContent = {
    read: async (at, length) => content.subarray(at, at + Math.min(length, readBytes)),
    from: 0,
    hash: { update: async (data) => void hash.update(data), digest: async () => hash.digest('hex') },
    window,
    async send(at, data) {
      chunks.push({ at, data });
      queueMicrotask(() => window.acknowledge(at + data.length));
    },
    ...options,
  };
  return { transfer, window, chunks };
}

for (const readBytes of [Infinity, 100_000])
  for (const from of [0, 5, hashBlockBytes + 9, content.length])
    test(`bytes from ${from} on are sent in order and the hash covers all, in reads of ${readBytes}`, async () => {
      const { transfer, chunks } = openTransfer({ from }, readBytes);

      assert.equal(await sendContent(transfer), sha256(content));

      let next = from;
      for (const { at, data } of chunks) {
        assert.equal(at, next);
        next += data.length;
      }
      assert.deepEqual(Buffer.concat(chunks.map(({ data }) => data)), content.subarray(from));
    });

test('a transfer that is stopped has no hash, and ends after the read that was under way', async () => {
  const ahead = Promise.withResolvers<Uint8Array>();
  const reads: number[] = [];
  const { transfer, window } = openTransfer({
    async read(at, length) {
      reads.push(at);
      return at === 0 ? content.subarray(0, length) : ahead.promise;
    },
    send: async () => window.leave(),
  });
  let result: string | undefined = 'running';

  const sending = sendContent(transfer).then((sent) => (result = sent));
  await new Promise((resolve) => void setImmediate(resolve));
  assert.deepEqual([result, reads], ['running', [0, hashBlockBytes]]);
  ahead.reject(new Error('The disk was removed.'));

  assert.equal(await sending, undefined);
});

test('a disk that fails ends the transfer with its error', async () => {
  const { transfer } = openTransfer({
    async read(at) {
      if (at > 0) throw new Error('The disk was removed.');
      return content.subarray(0, 10);
    },
  });

  await assert.rejects(sendContent(transfer), /The disk was removed/);
});
