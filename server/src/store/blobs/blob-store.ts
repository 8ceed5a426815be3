/** The bytes of attached files on disk: one folder per account, with files named by their SHA-256. */
import { randomBytes } from 'node:crypto';
import {
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  batchesOf,
  type CopyableBlobStore,
  blobKeyPattern,
  receiveBytes,
  requireKey,
  requireWhole,
  settledBefore,
  type ReceivedBytes,
} from './blob-bytes.ts';
import { chownToFolderOwner, fsyncPath } from './durable-files.ts';
import type { OpenBlob, BlobStore } from '../store.ts';

export interface BlobStoreOptions {
  folder: string;
  largest: number;
  /** Identifies the store. With the blobs of another store in the folder, the sweep would delete them all. */
  owner: string;
  /** The time of the store in seconds, which files are marked with. */
  now(): number;
}

const draftPattern = /^[0-9a-f]{16}\.part$/;

/** The file that holds the identity of the store that owns the folder. */
const ownerFile = 'owner';

/** Bytes read ahead for each client that downloads a file. Clients that stop reading hold this much memory too. */
const readAheadBytes = 16 * 1_024;

/** Returns undefined if the folder belongs to another store. */
export async function openBlobStore(options: BlobStoreOptions): Promise<CopyableBlobStore | undefined> {
  const owner = await readFile(join(options.folder, ownerFile), 'utf8').catch(ignoreMissing);
  // The file is empty if the server crashed before writing its text.
  return !owner || owner === options.owner ? createBlobStore(options) : undefined;
}

function createBlobStore({ folder, largest, owner, now }: BlobStoreOptions): CopyableBlobStore {
  const accountFolderOf = (accountId: number): string => join(folder, String(accountId));
  const prepareFolder = async (accountId: number): Promise<string> => {
    await makeFolder(folder);
    await claimFolder(folder, owner);
    await makeFolder(accountFolderOf(accountId));
    return accountFolderOf(accountId);
  };
  return {
    largest,

    put: async (accountId, bytes) => storeBlob(await prepareFolder(accountId), bytes, { largest, now }),

    async open(accountId, blobKey, size) {
      if (!blobKeyPattern.test(blobKey)) return undefined;
      const handle = await open(join(accountFolderOf(accountId), blobKey)).catch(ignoreMissing);
      if (!handle || (await handle.stat()).size === size) return handle && toOpenBlob(handle);
      await handle.close();
      return undefined;
    },

    async remove(accountId, blobKey) {
      if (blobKeyPattern.test(blobKey) || draftPattern.test(blobKey))
        await rm(join(accountFolderOf(accountId), blobKey), { force: true });
    },

    async accounts() {
      const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
      return names.filter((name) => /^[1-9][0-9]{0,15}$/.test(name)).map(Number);
    },

    settled: (accountId) => batchesOf(namesIn(accountFolderOf(accountId), settledBefore(now()))),

    ...copyingPart(accountFolderOf, prepareFolder, now),
  };
}

/** What copies to and from another blob store need. */
function copyingPart(
  accountFolderOf: (accountId: number) => string,
  prepareFolder: (accountId: number) => Promise<string>,
  now: () => number,
): Omit<CopyableBlobStore, keyof BlobStore> {
  return {
    async *keys(accountId) {
      for await (const names of batchesOf(namesIn(accountFolderOf(accountId), Infinity)))
        yield names.filter((name) => blobKeyPattern.test(name));
    },

    async sizeOf(accountId, blobKey) {
      if (!blobKeyPattern.test(blobKey)) return undefined;
      return (await stat(join(accountFolderOf(accountId), blobKey)).catch(ignoreMissing))?.size;
    },

    async putCopy(accountId, blobKey, bytes) {
      requireKey(blobKey);
      const given = { largest: Infinity, now, blobKey };
      requireWhole(await storeBlob(await prepareFolder(accountId), bytes, given));
    },
  };
}

/** Writes the bytes to a draft and renames it once they are durable. */
async function storeBlob(
  accountFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  options: Pick<BlobStoreOptions, 'largest' | 'now'> & { blobKey?: string },
): ReturnType<BlobStore['put']> {
  const mark = randomBytes(8).toString('hex');
  const draft = join(accountFolder, `${mark}.part`);
  try {
    const written = await writeDraft(draft, bytes, options);
    if (typeof written === 'string') return written;
    // Equal files are stored separately, so that one can be removed without looking for others that use it.
    const blobKey = options.blobKey ?? `${written.digest}-${mark}`;
    await rename(draft, join(accountFolder, blobKey));
    fsyncPath(accountFolder);
    return { blobKey, ...written };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Ignores a missing file and throws any other error. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function makeFolder(path: string): Promise<void> {
  if (!(await mkdir(path, { recursive: true, mode: 0o700 }))) return;
  chownToFolderOwner(path);
  fsyncPath(dirname(path));
}

/** Records the owner of the folder if it has none yet. */
async function claimFolder(folder: string, owner: string): Promise<void> {
  const file = join(folder, ownerFile);
  try {
    await writeFile(file, owner, { flag: 'wx', mode: 0o600, flush: true });
    chownToFolderOwner(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Writes the bytes and waits until they are durable, with at most one piece in memory. */
async function writeDraft(
  draft: string,
  bytes: AsyncIterable<Uint8Array>,
  { largest, now }: Pick<BlobStoreOptions, 'largest' | 'now'>,
): Promise<ReceivedBytes | 'too_large' | 'broken'> {
  await using handle = await open(draft, 'wx', 0o600);
  chownToFolderOwner(draft);
  const received = await receiveBytes(bytes, largest, (piece) => handle.appendFile(piece));
  if (typeof received === 'string') return received;
  await handle.utimes(now(), now()); // the clock of this machine may be wrong
  await handle.sync();
  return received;
}

const toOpenBlob = (handle: FileHandle): OpenBlob => ({
  read: (start, end) => handle.createReadStream({ start, end, highWaterMark: readAheadBytes }),
  close: () => handle.close(),
});

/** The names of the blobs and drafts in a folder that were changed before this time. */
async function* namesIn(accountFolder: string, before: number): AsyncGenerator<string> {
  const entries = await opendir(accountFolder).catch(ignoreMissing);
  if (!entries) return;
  for await (const { name } of entries) {
    if (!blobKeyPattern.test(name) && !draftPattern.test(name)) continue;
    const found = await stat(join(accountFolder, name)).catch(ignoreMissing);
    if (found && found.mtimeMs < before) yield name;
  }
}
