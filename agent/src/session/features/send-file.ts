/** Sends a file to an operator in chunks, with a window of unacknowledged bytes. */
import { createHash } from 'node:crypto';
import type { ReadableFile } from '../../platform/files.ts';
import type { FeatureContext } from '../feature.ts';

const chunkBytes = 64 * 1_024;
/** The most bytes that may be sent without acknowledgement. */
const windowBytes = 2 * 1_024 * 1_024;

export interface OutgoingTransfer {
  file: ReadableFile;
  sent: number;
  acknowledged: number;
  stopped: boolean;
  /** Resumes a transfer that waits for an acknowledgement. */
  wake(): void;
}

export function stopTransfer(transfer: OutgoingTransfer | undefined): void {
  if (!transfer) return;
  transfer.stopped = true;
  transfer.wake();
}

/** Sends the rest of a file, then its hash. The hash covers the whole file, also when a transfer is resumed. */
export async function sendFile(
  context: FeatureContext,
  id: number,
  transfer: OutgoingTransfer,
): Promise<void> {
  const { file } = transfer;
  const hash = createHash('sha256');
  for (let at = 0; !transfer.stopped;) {
    const data = await file.read(at, chunkBytes);
    if (data.length === 0) break;
    hash.update(data);
    const end = at + data.length;
    if (end > transfer.sent) {
      const fresh = data.subarray(Math.max(0, transfer.sent - at));
      context.send('file_bytes', { id, at: transfer.sent, data: fresh });
      transfer.sent = end;
      await waitForWindow(context, transfer);
    }
    at = end;
  }
  if (!transfer.stopped) context.send('file_answer', { is: 'sent', id, sha256: hash.digest('hex') });
}

/** Waits while the send buffer is full or too many bytes are unacknowledged. */
async function waitForWindow(context: FeatureContext, transfer: OutgoingTransfer): Promise<void> {
  if (context.buffered() > windowBytes) await context.drained();
  while (!transfer.stopped && transfer.sent - transfer.acknowledged >= windowBytes) {
    const { promise, resolve } = Promise.withResolvers<void>();
    transfer.wake = resolve;
    await promise;
  }
}
