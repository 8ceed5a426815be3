/** The bytes of attached files on disk: a folder for each account, and in it files named by their SHA-256. */
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
  /** What the store is known by: with another's store beside it, a blob store would be swept empty. */
  owner: string;
}

/** No name from outside ever gets here, and what does not look like ours is not touched. */
const blobKeyPattern = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const draftPattern = /^[0-9a-f]{16}\.part$/;

/** Tells whose files these are. */
const ownerFile = 'owner';

/** Longer than an upload may take, and than the step from its bytes to its row. */
const settledAfterMs = 2 * 3_600_000;
/** How many names are asked about at once. */
const batchSize = 500;
/** Read ahead of each client that is being sent a file: more costs as much for every one that stops reading. */
const readAheadBytes = 16 * 1_024;

/** Undefined where the folder holds the files of another store. */
export async function openBlobStore({
  folder,
  largest,
  owner,
}: BlobStoreOptions): Promise<BlobStore | undefined> {
  const mark = await readFile(join(folder, ownerFile), 'utf8').catch(ignoreMissing);
  // Empty where a crash came before its text.
  return !mark || mark === owner ? createBlobStore(folder, largest, owner) : undefined;
}

function createBlobStore(folder: string, largest: number, owner: string): BlobStore {
  const accountFolderOf = (accountId: number): string => join(folder, String(accountId));
  return {
    largest,

    async put(accountId, bytes) {
      const accountFolder = accountFolderOf(accountId);
      await makeFolder(folder);
      await claimFolder(folder, owner);
      await makeFolder(accountFolder);
      const mark = randomBytes(8).toString('hex');
      const draft = join(accountFolder, `${mark}.part`);
      try {
        const written = await writeDraft(draft, bytes, largest);
        if (typeof written === 'string') return written;
        // Equal files lie here twice: what belongs to one alone can be removed without asking the others.
        const blobKey = `${written.digest}-${mark}`;
        await rename(draft, join(accountFolder, blobKey));
        fsyncPath(accountFolder);
        return { blobKey, ...written };
      } finally {
        await rm(draft, { force: true });
      }
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

/** What is not there is no trouble; anything else is. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function makeFolder(path: string): Promise<void> {
  if (!(await mkdir(path, { recursive: true, mode: 0o700 }))) return;
  chownToFolderOwner(path);
  fsyncPath(dirname(path));
}

/** Says once whose files lie in the folder. */
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

/** Writes what comes and waits until it is on disk; it holds no more than one piece of it in memory. */
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
  for (;;) {
    const piece = await pieces.next().catch(() => 'broken' as const);
    if (piece === 'broken') return piece;
    if (piece.done) break;
    size += piece.value.byteLength;
    if (size > largest) return 'too_large';
    hash.update(piece.value);
    await handle.appendFile(piece.value);
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
  let part: string[] = [];
  for await (const { name } of entries) {
    if (!blobKeyPattern.test(name) && !draftPattern.test(name)) continue;
    const found = await stat(join(accountFolder, name)).catch(ignoreMissing);
    if (found && found.mtimeMs < before) part.push(name);
    if (part.length < batchSize) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
