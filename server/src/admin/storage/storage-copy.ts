/** `storage copy`: copies attached files, recordings, pictures and agent files into the object storage, or back. */
import { Readable } from 'node:stream';
import { openBlobStores, type BlobStores, type StorageKind } from '../../compose/blob-stores.ts';
import { StartRefused } from '../../compose/start-refused.ts';
import type { CopyableBlobStore } from '../../store/blobs/blob-bytes.ts';
import { fetchAgentFiles, publishAgentFiles, type OnFile } from './copy-agent-files.ts';
import { copyPicturesToDatabase, copyPicturesToStorage } from './copy-pictures.ts';
import { countText } from '../backup.ts';
import { failWith, usageError, type AdminCommand, type ProcessContext } from '../command.ts';
import { withStore } from '../store-access.ts';

const targets: Readonly<Record<string, StorageKind>> = { 'object-storage': 'bucket', folders: 'folders' };

export const storageCopy: AdminCommand = {
  name: 'storage copy',
  says: 'Copy attached files, recordings, the pictures of brands and the agent files in DRAWBRIDGE_DOWNLOADS into the object storage, or back. It can be stopped and repeated.',
  options: { to: { takes: 'object-storage|folders', says: 'Where to copy them', required: true } },
  async run({ options }, context) {
    const to = targets[options['to'] ?? ''];
    if (!to) return usageError('--to must be object-storage or folders.');
    return withStore(context, async (store, config) => {
      if (!config.objectStorage)
        return failWith('Set DRAWBRIDGE_OBJECT_STORAGE to the bucket that is copied to or from.');
      try {
        const bucket = await openBlobStores(config, store, 'bucket');
        const folders = await openBlobStores(config, store, 'folders');
        const [source, target] = to === 'bucket' ? [folders, bucket] : [bucket, folders];
        const counts = createCounts(progressOf(context, options['json'] !== undefined));
        await copyAll(source, target, counts.add);
        const copyPictures = to === 'bucket' ? copyPicturesToStorage : copyPicturesToDatabase;
        await copyPictures(store, bucket.pictures!, counts.add);
        const copyAgentFiles = to === 'bucket' ? publishAgentFiles : fetchAgentFiles;
        if (config.downloads) await copyAgentFiles(config.downloads, bucket.agentFiles!, counts.add);
        return report(counts.total);
      } catch (error) {
        if (error instanceof StartRefused) return failWith(error.message);
        throw error;
      }
    });
  },
};

interface CopyCounts {
  copied: number;
  /** Blobs that were there already. */
  present: number;
  bytes: number;
}

function report(counts: CopyCounts) {
  const { copied, present, bytes } = counts;
  const size = (bytes / 1_048_576).toFixed(1);
  return {
    data: counts,
    says: `${countText(copied, 'file')} copied (${size} MB), ${countText(present, 'file')} copied before.`,
  };
}

function createCounts(onAdded: (counts: CopyCounts) => void) {
  const total: CopyCounts = { copied: 0, present: 0, bytes: 0 };
  return {
    total,
    add(copiedBytes: number | undefined): void {
      if (copiedBytes === undefined) total.present += 1;
      else total.copied += 1;
      total.bytes += copiedBytes ?? 0;
      onAdded(total);
    },
  };
}

async function copyAll(source: BlobStores, target: BlobStores, onFile: OnFile): Promise<void> {
  for (const part of ['blobs', 'recordings'] as const)
    for (const accountId of await source[part].accounts())
      for await (const blobKeys of source[part].keys(accountId))
        for (const blobKey of blobKeys)
          await copyBlob(source[part], target[part], { accountId, blobKey }, onFile);
}

/** A blob that was removed meanwhile is skipped. */
async function copyBlob(
  source: CopyableBlobStore,
  target: CopyableBlobStore,
  { accountId, blobKey }: { accountId: number; blobKey: string },
  onFile: OnFile,
): Promise<void> {
  const size = await source.sizeOf(accountId, blobKey);
  if (size === undefined) return;
  if ((await target.sizeOf(accountId, blobKey)) === size) return onFile(undefined);
  const opened = await source.open(accountId, blobKey, size);
  if (!opened) return;
  await target.putCopy(accountId, blobKey, size > 0 ? opened.read(0, size - 1) : Readable.from([]));
  await opened.close();
  onFile(size);
}

const progressEveryMs = 1_000;

/** Prints at most one line per second. */
function progressOf({ err }: ProcessContext, isQuiet: boolean): (counts: CopyCounts) => void {
  let last = performance.now();
  return ({ copied, bytes }) => {
    if (isQuiet || performance.now() - last < progressEveryMs) return;
    last = performance.now();
    err(`copied ${countText(copied, 'file')} (${(bytes / 1_048_576).toFixed(1)} MB)\n`);
  };
}
