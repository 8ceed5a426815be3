/** Opens the folders of attached files and of recordings, and cleans them up regularly. */
import { maxChunkBytes } from '@drawbridge/contract/session/recording';
import type { Config } from '../config/config.ts';
import { loadIdentity } from '../gateway/devices/identity.ts';
import { removeOldRecordings } from '../jobs/old-recordings.ts';
import { sweepFiles, sweepRecordings } from '../jobs/sweep-files.ts';
import type { Log } from '../edges/log.ts';
import { StartRefused } from './start-refused.ts';
import { openBlobStore, type BlobStoreOptions } from '../store/blobs/blob-store.ts';
import type { BlobStore, Store } from '../store/store.ts';

const sweepEveryMs = 3_600_000;

export interface BlobStores {
  /** The attached files of devices. */
  blobs: BlobStore;
  recordings: BlobStore;
}

export async function openBlobStores(
  { files, fileLimit, recordings }: Config,
  store: Store,
): Promise<BlobStores> {
  const { publicKey: owner } = await loadIdentity(store);
  return {
    blobs: await openOrRefuse({ folder: files, largest: fileLimit, owner }, 'attached files', 'FILES'),
    recordings: await openOrRefuse(
      { folder: recordings, largest: maxChunkBytes, owner },
      'recordings',
      'RECORDINGS',
    ),
  };
}

async function openOrRefuse(options: BlobStoreOptions, what: string, setting: string): Promise<BlobStore> {
  const blobs = await openBlobStore(options);
  if (blobs) return blobs;
  throw new StartRefused(
    `The folder ${options.folder} holds the ${what} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_${setting} to another folder, or move this one away.`,
  );
}

/** Cleans up at once and every hour. The returned function stops it and resolves when it has stopped. */
export function startSweeping(
  store: Store,
  { blobs, recordings }: BlobStores,
  recordingDays: number,
  log: Log,
): () => Promise<void> {
  const attempt = (work: Promise<unknown>, what: string): Promise<unknown> =>
    work.catch((error: unknown) =>
      log.warn({ err: error }, `cleaning up ${what} failed; trying again later`),
    );
  const sweep = async (): Promise<void> => {
    await attempt(sweepFiles(store, blobs), 'attached files');
    await attempt(removeOldRecordings(store, recordings, recordingDays), 'old recordings');
    await attempt(sweepRecordings(store, recordings), 'recordings');
  };
  let running = sweep();
  const timer = setInterval(() => void (running = running.then(sweep)), sweepEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
