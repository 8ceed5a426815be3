/** Sends a file to an operator in chunks, within the window that all downloads of the session share. */
import { createHash } from 'node:crypto';
import type { WindowShare } from '@drawbridge/session/send-window';
import type { ReadableFile } from '../../platform/files.ts';
import type { FeatureContext } from '../feature.ts';

/** What is read at once of the part that the operator already has. */
const skippedBytes = 64 * 1_024;

export interface OutgoingTransfer {
  file: ReadableFile;
  /** Where the transfer starts: the operator has the bytes before. */
  from: number;
  window: WindowShare;
}

/** Sends the rest of a file, then its hash. The hash covers the whole file, also when a transfer is resumed. */
export async function sendFile(
  context: FeatureContext,
  id: number,
  { file, from, window }: OutgoingTransfer,
): Promise<void> {
  const hash = createHash('sha256');
  for (let at = 0; at < file.size;) {
    const most = at < from ? Math.min(skippedBytes, from - at) : await nextChunk(context, window);
    if (most === 0) return;
    const data = await file.read(at, most);
    if (data.length === 0) break;
    hash.update(data);
    if (at >= from) {
      context.send('file_bytes', { id, at, data });
      window.sent(data.length, at + data.length);
    }
    at += data.length;
  }
  context.send('file_answer', { is: 'sent', id, sha256: hash.digest('hex') });
}

/** Waits until the window has room and little else waits to be sent: input and screen go first. */
async function nextChunk(context: FeatureContext, window: WindowShare): Promise<number> {
  const bytes = await window.reserve();
  await context.drained();
  return bytes;
}
