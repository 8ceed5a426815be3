/** Opens the folders or the bucket of attached files, recordings, pictures and agent files, and cleans them up regularly. */
import { maxLogoBytes } from '@drawbridge/contract/logo';
import { maxChunkBytes } from '@drawbridge/contract/session/recording';
import type { Config } from '../config/config.ts';
import { loadIdentity } from '../gateway/devices/identity.ts';
import { movePictures } from '../jobs/move-pictures.ts';
import { removeOldRecordings } from '../jobs/old-recordings.ts';
import { sweepFiles, sweepPictures, sweepRecordings } from '../jobs/sweep-files.ts';
import type { Log } from '../edges/log.ts';
import { StartRefused } from './start-refused.ts';
import type { ObjectStorageAddress } from '../domain/object-storage.ts';
import { createAgentFileStore, type AgentFileStore } from '../store/blobs/agent-file-store.ts';
import { openBlobStore, type BlobStoreOptions } from '../store/blobs/blob-store.ts';
import { openObjectBlobStore } from '../store/blobs/object-blob-store.ts';
import type { CopyableBlobStore } from '../store/blobs/blob-bytes.ts';
import { createPictureStore } from '../store/blobs/picture-store.ts';
import type { PictureStore, Store } from '../store/store.ts';

const sweepEveryMs = 3_600_000;

export interface BlobStores {
  /** The attached files of devices. */
  blobs: CopyableBlobStore;
  recordings: CopyableBlobStore;
  /** The pictures of brands. Absent without a bucket: then they are in the database. */
  pictures: PictureStore | undefined;
  /** Absent without a bucket: then agent files are in a folder of each server. */
  agentFiles: AgentFileStore | undefined;
}

/** Where the bytes of attached files and recordings are. */
export type StorageKind = 'folders' | 'bucket';

const contents = {
  files: 'attached files',
  recordings: 'recordings',
  pictures: 'pictures of brands',
  'agent-files': 'agent files',
} as const;

interface BlobPlace {
  name: keyof typeof contents;
  folder: string;
  largest: number;
}

export async function openBlobStores(
  config: Config,
  store: Store,
  kind: StorageKind = config.objectStorage ? 'bucket' : 'folders',
): Promise<BlobStores> {
  const { publicKey: owner } = await loadIdentity(store);
  const places = {
    blobs: { name: 'files', folder: config.files, largest: config.fileLimit },
    recordings: { name: 'recordings', folder: config.recordings, largest: maxChunkBytes },
  } as const;
  const from = { owner, now: store.now };
  if (kind === 'bucket') return openBucketStores(config.objectStorage!, from, places);
  return {
    blobs: await openFolder(places.blobs, from),
    recordings: await openFolder(places.recordings, from),
    pictures: undefined,
    agentFiles: undefined,
  };
}

/** The database that the blobs belong to, and its time. */
type BlobOwner = Pick<BlobStoreOptions, 'owner' | 'now'>;

async function openFolder({ name, folder, largest }: BlobPlace, from: BlobOwner): Promise<CopyableBlobStore> {
  const blobs = await openBlobStore({ folder, largest, ...from });
  if (blobs) return blobs;
  throw new StartRefused(
    `The folder ${folder} holds the ${contents[name]} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_${name.toUpperCase()} to another folder, or move this one away.`,
  );
}

/** The client of object storages is loaded only where it is used. */
async function openBucketStores(
  address: ObjectStorageAddress,
  from: BlobOwner,
  places: Record<'blobs' | 'recordings', BlobPlace>,
): Promise<BlobStores> {
  const { openBucket } = await import('../store/blobs/object-bucket.ts');
  const bucket = openBucket(address);
  const where = `${address.endpoint}/${address.bucket}/${address.prefix}`;
  const prefixOf = (name: BlobPlace['name']): string => `${address.prefix}${name}/`;
  const open = async ({ name, largest }: Omit<BlobPlace, 'folder'>): Promise<CopyableBlobStore> => {
    const options = { bucket, prefix: prefixOf(name), largest, ...from };
    const blobs = await openObjectBlobStore(options).catch((error: Error) => {
      throw new StartRefused(
        `${error.message}. Check DRAWBRIDGE_OBJECT_STORAGE: the key must be allowed to read, write, list and remove objects in ${where}.`,
      );
    });
    if (blobs) return blobs;
    throw new StartRefused(
      `${where}${name} holds the ${contents[name]} of another Drawbridge database, which would be lost. Set DRAWBRIDGE_OBJECT_STORAGE to another bucket or prefix.`,
    );
  };
  const agentFiles = await open({ name: 'agent-files', largest: Infinity });
  return {
    blobs: await open(places.blobs),
    recordings: await open(places.recordings),
    pictures: createPictureStore(await open({ name: 'pictures', largest: maxLogoBytes })),
    agentFiles: createAgentFileStore(bucket, prefixOf('agent-files'), agentFiles),
  };
}

/** Cleans up at once and every hour. The returned function stops it and resolves when it has stopped. */
export function startSweeping(
  store: Store,
  { blobs, recordings, pictures, agentFiles }: BlobStores,
  recordingDays: number,
  log: Log,
): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    if (signal.aborted) return;
    await work().catch((error: unknown) =>
      log.warn({ err: error }, `cleaning up ${what} failed; trying again later`),
    );
  };
  const sweep = async (): Promise<void> => {
    await attempt('attached files', () => sweepFiles(store, blobs, signal));
    await attempt('old recordings', () => removeOldRecordings(store, recordings, recordingDays, signal));
    await attempt('recordings', () => sweepRecordings(store, recordings, signal));
    if (pictures) {
      await attempt('pictures of brands', () => movePictures(store, pictures, signal));
      await attempt('pictures of brands', () => sweepPictures(store, pictures.blobs, signal));
    }
    await attempt('copies of agent files', async () => agentFiles?.files.endUploads?.(signal));
  };
  let running = sweep();
  const timer = setInterval(() => void (running = running.then(sweep)), sweepEveryMs).unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
