/** Opens the folders or the bucket of attached files and recordings, and cleans them up regularly. */
import { maxChunkBytes } from '@drawbridge/contract/session/recording';
import type { Config } from '../config/config.ts';
import { loadIdentity } from '../gateway/devices/identity.ts';
import { removeOldRecordings } from '../jobs/old-recordings.ts';
import { sweepFiles, sweepRecordings } from '../jobs/sweep-files.ts';
import type { Log } from '../edges/log.ts';
import { StartRefused } from './start-refused.ts';
import type { ObjectStorageAddress } from '../domain/object-storage.ts';
import { openBlobStore } from '../store/blobs/blob-store.ts';
import { openObjectBlobStore } from '../store/blobs/object-blob-store.ts';
import type { CopyableBlobStore } from '../store/blobs/blob-bytes.ts';
import type { Store } from '../store/store.ts';

const sweepEveryMs = 3_600_000;

export interface BlobStores {
  /** The attached files of devices. */
  blobs: CopyableBlobStore;
  recordings: CopyableBlobStore;
}

/** Where the bytes of attached files and recordings are. */
export type StorageKind = 'folders' | 'bucket';

interface BlobPlace {
  name: keyof typeof contents;
  folder: string;
  largest: number;
}

const contents = { files: 'attached files', recordings: 'recordings' } as const;

export async function openBlobStores(
  config: Config,
  store: Store,
  kind: StorageKind = config.objectStorage ? 'bucket' : 'folders',
): Promise<BlobStores> {
  const { publicKey: owner } = await loadIdentity(store);
  const open = kind === 'bucket' ? await bucketOpener(config.objectStorage!, owner) : folderOpener(owner);
  return {
    blobs: await open({ name: 'files', folder: config.files, largest: config.fileLimit }),
    recordings: await open({ name: 'recordings', folder: config.recordings, largest: maxChunkBytes }),
  };
}

type OpenBlobs = (place: BlobPlace) => Promise<CopyableBlobStore>;

function folderOpener(owner: string): OpenBlobs {
  return async ({ name, folder, largest }) => {
    const blobs = await openBlobStore({ folder, largest, owner });
    if (blobs) return blobs;
    throw new StartRefused(
      `The folder ${folder} holds the ${contents[name]} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_${name.toUpperCase()} to another folder, or move this one away.`,
    );
  };
}

/** The client of object storages is loaded only where it is used. */
async function bucketOpener(address: ObjectStorageAddress, owner: string): Promise<OpenBlobs> {
  const { openBucket } = await import('../store/blobs/object-bucket.ts');
  const bucket = openBucket(address);
  const where = `${address.endpoint}/${address.bucket}/${address.prefix}`;
  return async ({ name, largest }) => {
    const prefix = `${address.prefix}${name}/`;
    const blobs = await openObjectBlobStore({ bucket, prefix, largest, owner }).catch((error: Error) => {
      throw new StartRefused(
        `${error.message}. Check DRAWBRIDGE_OBJECT_STORAGE: the key must be allowed to read, write, list and remove objects in ${where}.`,
      );
    });
    if (blobs) return blobs;
    throw new StartRefused(
      `${where}${name} holds the ${contents[name]} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_OBJECT_STORAGE to another bucket or prefix.`,
    );
  };
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
