/** An operator uploads a file to a device and downloads one from it, as a console does. */
import { createHash } from 'node:crypto';
import { encodeDataChunk, decodeDataChunk } from '@drawbridge/contract/session/binary-frames';
import type { Operator } from './operator.ts';
import { eventually } from '../eventually.ts';

const pieceSize = 60_000;

export async function uploadToDevice(operator: Operator, path: string, content: Buffer): Promise<void> {
  operator.sendMessage('file', { do: 'put', id: 1, path, size: content.length, replace: false });
  await operator.until('file_answer', ({ is }) => is === 'put');
  for (let at = 0; at < content.length; at += pieceSize)
    operator.send('file_bytes', encodeDataChunk({ id: 1, at, data: content.subarray(at, at + pieceSize) }));
  operator.sendMessage('file', {
    do: 'finish',
    id: 1,
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  await operator.until('file_answer', ({ is }) => is === 'done');
}

/** Acknowledges the received bytes throughout, because the device waits for it. */
export async function downloadFromDevice(operator: Operator, path: string): Promise<Buffer> {
  const pieces = (): Buffer[] =>
    operator.received.flatMap(({ kind, payload }) =>
      kind === 'file_bytes' ? Buffer.from(decodeDataChunk(payload)!.data) : [],
    );
  operator.sendMessage('file', { do: 'get', id: 2, path, from: 0 });
  await eventually(
    () => {
      const bytes = pieces().reduce((sum, { length }) => sum + length, 0);
      operator.sendMessage('file', { do: 'taken', id: 2, bytes });
      return operator.messages('file_answer').at(-1)?.is;
    },
    (is) => is === 'sent',
  );
  return Buffer.concat(pieces());
}
