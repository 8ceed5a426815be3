/** Sends a file to an operator in chunks, within the window that all downloads of the session share. */
import type { FileHash } from '@drawbridge/session/file-hash';
import { sendContent } from '@drawbridge/session/send-content';
import type { WindowShare } from '@drawbridge/session/send-window';
import type { ReadableFile } from '../../platform/files.ts';
import type { FeatureContext } from '../feature.ts';

export interface OutgoingTransfer {
  file: ReadableFile;
  /** Where the transfer starts: the operator has the bytes before. */
  from: number;
  hash: FileHash;
  window: WindowShare;
}

/** Sends the rest of a file, then its hash. The hash covers the whole file, also when a transfer is resumed. */
export async function sendFile(
  context: FeatureContext,
  id: number,
  { file, ...transfer }: OutgoingTransfer,
): Promise<void> {
  const sha256 = await sendContent({
    ...transfer,
    read: (at, length) => file.read(at, length),
    async send(at, data) {
      await context.drained();
      context.send('file_bytes', { id, at, data });
    },
  });
  if (sha256 !== undefined) context.send('file_answer', { is: 'sent', id, sha256 });
}
