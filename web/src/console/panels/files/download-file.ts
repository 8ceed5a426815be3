/** Downloads a file into the operator's downloads folder. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import { saveFile } from '../../../ui/save-file.ts';
import type { RemoteFiles } from './remote-files.ts';
import type { TransferJob } from './transfers.ts';

/** Chunks are joined to blobs of this size, which the browser may keep on disk. */
const batchBytes = 8 * 1_024 * 1_024;

export async function collectBlob(
  content: AsyncIterable<Uint8Array<ArrayBuffer>>,
  at: (bytes: number) => void,
): Promise<Blob> {
  const batches: Blob[] = [];
  let batch: Uint8Array<ArrayBuffer>[] = [];
  let [batchedBytes, bytes] = [0, 0];
  for await (const chunk of content) {
    batch.push(chunk);
    batchedBytes += chunk.length;
    at((bytes += chunk.length));
    if (batchedBytes < batchBytes) continue;
    batches.push(new Blob(batch));
    [batch, batchedBytes] = [[], 0];
  }
  return new Blob([...batches, ...batch]);
}

export const downloadFileJob = (
  remote: RemoteFiles,
  folder: string,
  { name }: Pick<FileEntry, 'name'>,
): TransferJob => ({
  name,
  direction: 'download',
  async run(report, signal) {
    const file = await remote.download(joinPath(folder, name), signal);
    report.size(file.size);
    saveFile(await collectBlob(file.content, report.at), name);
  },
});

export const joinPath = (folder: string, name: string): string => `${folder === '/' ? '' : folder}/${name}`;
