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
import { giveToOwnerOfFolder, syncPath } from './durable.ts';
import type { OpenBytes, Shelf } from './store.ts';

export interface ShelfOptions {
  folder: string;
  largest: number;
  /** What the store is known by: with another's store beside it, a shelf would be swept empty. */
  owner: string;
}

/** No name from outside ever gets here, and what does not look like ours is not touched. */
const placeShape = /^[0-9a-f]{64}-[0-9a-f]{16}$/;
const draftShape = /^[0-9a-f]{16}\.part$/;

/** Tells whose files these are. */
const ownerFile = 'owner';

/** Longer than an upload may take, and than the step from its bytes to its row. */
const settledAfterMs = 2 * 3_600_000;
/** How many names are asked about at once. */
const atOnce = 500;
/** Read ahead of each client that is being sent a file: more costs as much for every one that stops reading. */
const readAhead = 16 * 1_024;

/** Undefined where the folder holds the files of another store. */
export async function openShelf({ folder, largest, owner }: ShelfOptions): Promise<Shelf | undefined> {
  const mark = await readFile(join(folder, ownerFile), 'utf8').catch(absent);
  // Empty where a crash came before its text.
  return !mark || mark === owner ? shelfIn(folder, largest, owner) : undefined;
}

function shelfIn(folder: string, largest: number, owner: string): Shelf {
  const roomOf = (accountId: number): string => join(folder, String(accountId));
  return {
    largest,

    async put(accountId, bytes) {
      const room = roomOf(accountId);
      await makeFolder(folder);
      await claim(folder, owner);
      await makeFolder(room);
      const mark = randomBytes(8).toString('hex');
      const draft = join(room, `${mark}.part`);
      try {
        const written = await writeDraft(draft, bytes, largest);
        if (typeof written === 'string') return written;
        // Equal files lie here twice: what belongs to one alone can be removed without asking the others.
        const place = `${written.digest}-${mark}`;
        await rename(draft, join(room, place));
        syncPath(room);
        return { place, ...written };
      } finally {
        await rm(draft, { force: true });
      }
    },

    async open(accountId, place, size) {
      if (!placeShape.test(place)) return undefined;
      const handle = await open(join(roomOf(accountId), place)).catch(absent);
      if (!handle || (await handle.stat()).size === size) return handle && toBytes(handle);
      await handle.close();
      return undefined;
    },

    async remove(accountId, place) {
      if (placeShape.test(place) || draftShape.test(place))
        await rm(join(roomOf(accountId), place), { force: true });
    },

    async accounts() {
      const names = (await readdir(folder).catch(absent)) ?? [];
      return names.filter((name) => /^[1-9][0-9]{0,15}$/.test(name)).map(Number);
    },

    settled: (accountId) => settledIn(roomOf(accountId)),
  };
}

/** What is not there is no trouble; anything else is. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function makeFolder(path: string): Promise<void> {
  if (!(await mkdir(path, { recursive: true, mode: 0o700 }))) return;
  giveToOwnerOfFolder(path);
  syncPath(dirname(path));
}

/** Says once whose files lie in the folder. */
async function claim(folder: string, owner: string): Promise<void> {
  const file = join(folder, ownerFile);
  try {
    await writeFile(file, owner, { flag: 'wx', mode: 0o600, flush: true });
    giveToOwnerOfFolder(file);
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
  giveToOwnerOfFolder(draft);
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

const toBytes = (handle: FileHandle): OpenBytes => ({
  read: (start, end) => handle.createReadStream({ start, end, highWaterMark: readAhead }),
  close: () => handle.close(),
});

async function* settledIn(room: string): AsyncGenerator<string[]> {
  const entries = await opendir(room).catch(absent);
  if (!entries) return;
  const before = Date.now() - settledAfterMs;
  let part: string[] = [];
  for await (const { name } of entries) {
    if (!placeShape.test(name) && !draftShape.test(name)) continue;
    const found = await stat(join(room, name)).catch(absent);
    if (found && found.mtimeMs < before) part.push(name);
    if (part.length < atOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
