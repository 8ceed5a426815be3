/** A file on its way to an operator: in pieces, and never faster than the other side takes them. */
import { createHash } from 'node:crypto';
import { encodeDataChunk } from '@drawbridge/contract/session/binary-frames';
import { encodeMessage } from '@drawbridge/contract/session/messages';
import type { ReadableFile } from '../../platform/files.ts';
import type { FeatureContext } from '../feature.ts';

const pieceLength = 64 * 1_024;
/** Bytes on their way to the operator that were not acknowledged yet. */
const windowBytes = 2 * 1_024 * 1_024;

export interface OutgoingTransfer {
  file: ReadableFile;
  sent: number;
  acknowledged: number;
  stopped: boolean;
  /** Lets the sending go on. */
  wake(): void;
}

export function stopTransfer(transfer: OutgoingTransfer | undefined): void {
  if (!transfer) return;
  transfer.stopped = true;
  transfer.wake();
}

/** Sends a file from where it stands to its end, with its hash at last. A file that is gone on with is hashed from its beginning. */
export async function sendFile(
  context: FeatureContext,
  id: number,
  transfer: OutgoingTransfer,
): Promise<void> {
  const { file } = transfer;
  const hash = createHash('sha256');
  for (let at = 0; !transfer.stopped;) {
    const data = await file.read(at, pieceLength);
    if (data.length === 0) break;
    hash.update(data);
    const end = at + data.length;
    if (end > transfer.sent) {
      const fresh = data.subarray(Math.max(0, transfer.sent - at));
      context.send('file_bytes', encodeDataChunk({ id, at: transfer.sent, data: fresh }));
      transfer.sent = end;
      await waitForWindow(context, transfer);
    }
    at = end;
  }
  if (!transfer.stopped)
    context.send('file_answer', encodeMessage('file_answer', { is: 'sent', id, sha256: hash.digest('hex') }));
}

/** Waits while the operator has much to take in, or the line has much to carry. */
async function waitForWindow(context: FeatureContext, transfer: OutgoingTransfer): Promise<void> {
  if (context.buffered() > windowBytes) await context.drained();
  while (!transfer.stopped && transfer.sent - transfer.acknowledged >= windowBytes) {
    const { promise, resolve } = Promise.withResolvers<void>();
    transfer.wake = resolve;
    await promise;
  }
}
