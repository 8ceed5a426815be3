/** The bytes of attached files on disk: one folder per account, with files named by their SHA-256. */
import { createHash, randomBytes } from 'node:crypto';
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
import { chownToFolderOwner, fsyncPath } from './durable-files.ts';
import type { OpenBlob, BlobStore } from '../store.ts';

export interface BlobStoreOptions {
  folder: string;
  largest: number;
  /** Identifies the store. With the blobs of another store in the folder, the sweep would delete them all. */
  owner: string;
}

/** Only names of this form are accepted or removed, so no name from outside reaches the file system. */
const blobKeyPattern = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const draftPattern = /^[0-9a-f]{16}\.part$/;

/** The file that holds the identity of the store that owns the folder. */
const ownerFile = 'owner';

/** Longer than an upload may take, including the time until its row is stored. */
const settledAfterMs = 2 * 3_600_000;
/** The number of names in each batch of `settled`. */
const batchSize = 500;
/** Bytes read ahead for each client that downloads a file. Clients that stop reading hold this much memory too. */
const readAheadBytes = 16 * 1_024;

/** Returns undefined if the folder belongs to another store. */
export async function openBlobStore(options: BlobStoreOptions): Promise<BlobStore | undefined> {
  const owner = await readFile(join(options.folder, ownerFile), 'utf8').catch(ignoreMissing);
  // The file is empty if the server crashed before writing its text.
  return !owner || owner === options.owner ? createBlobStore(options) : undefined;
}

function createBlobStore({ folder, largest, owner }: BlobStoreOptions): BlobStore {
  const accountFolderOf = (accountId: number): string => join(folder, String(accountId));
  return {
    largest,

    async put(accountId, bytes) {
      const accountFolder = accountFolderOf(accountId);
      await makeFolder(folder);
      await claimFolder(folder, owner);
      await makeFolder(accountFolder);
      return storeBlob(accountFolder, bytes, largest);
    },

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

    settled: (accountId) => settledBlobsIn(accountFolderOf(accountId)),
  };
}

/** Writes the bytes to a draft and renames it once they are durable. */
async function storeBlob(
  accountFolder: string,
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
): ReturnType<BlobStore['put']> {
  const mark = randomBytes(8).toString('hex');
  const draft = join(accountFolder, `${mark}.part`);
  try {
    const written = await writeDraft(draft, bytes, largest);
    if (typeof written === 'string') return written;
    // Equal files are stored separately, so that one can be removed without looking for others that use it.
    const blobKey = `${written.digest}-${mark}`;
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

interface Written {
  size: number;
  digest: string;
}

/** Writes the bytes and waits until they are durable, with at most one piece in memory. */
async function writeDraft(
  draft: string,
  bytes: AsyncIterable<Uint8Array>,
  largest: number,
): Promise<Written | 'too_large' | 'broken'> {
  await using handle = await open(draft, 'wx', 0o600);
  chownToFolderOwner(draft);
  const hash = createHash('sha256');
  const pieces = bytes[Symbol.asyncIterator]();
  let size = 0;
  try {
    for (;;) {
      const piece = await pieces.next().catch(() => 'broken' as const);
      if (piece === 'broken') return piece;
      if (piece.done) break;
      size += piece.value.byteLength;
      if (size > largest) return 'too_large';
      hash.update(piece.value);
      await handle.appendFile(piece.value);
    }
  } finally {
    await pieces.return?.(); // so that the rest of the upload can be discarded
  }
  await handle.sync();
  return { size, digest: hash.digest('hex') };
}

const toOpenBlob = (handle: FileHandle): OpenBlob => ({
  read: (start, end) => handle.createReadStream({ start, end, highWaterMark: readAheadBytes }),
  close: () => handle.close(),
});

async function* settledBlobsIn(accountFolder: string): AsyncGenerator<string[]> {
  const entries = await opendir(accountFolder).catch(ignoreMissing);
  if (!entries) return;
  const before = Date.now() - settledAfterMs;
  let batch: string[] = [];
  for await (const { name } of entries) {
    if (!blobKeyPattern.test(name) && !draftPattern.test(name)) continue;
    const found = await stat(join(accountFolder, name)).catch(ignoreMissing);
    if (found && found.mtimeMs < before) batch.push(name);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
