/** Removes a folder with all that is in it while others may change it: nothing is reached but from the open folder that holds it. */
import { randomUUID } from 'node:crypto';
import { rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { NotPossible } from '../platform.ts';
import { codeOf, firstNames, mostOpen, openFolderAt, withinBytes } from './handles.ts';

/** Names read at a time. */
const batch = 1_000;
/** Of one removal; and how often one name may turn out to be something else than it was. */
const [mostNames, mostTries] = [5_000_000, 8];

/** What exchanging or filling a folder under the agent's hands looks like. */
const exchanged = new Set(['ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST']);

/** A removal under way. */
interface Removal {
  top: FileHandle;
  /** The disk that it stays on. */
  device: number;
  names: number;
}

/** Removes whatever has this name; a link goes, and not what it leads to. */
export async function removeAt(folder: FileHandle, name: string): Promise<void> {
  const bytes = Buffer.from(name);
  await overAndOver(async () => {
    if (await unlinked(folder, bytes)) return;
    const top = await openFolderAt(withinBytes(folder, bytes));
    try {
      await empty(top, 1, { top, device: (await top.stat()).dev, names: 0 });
    } finally {
      await top.close();
    }
    await rmdir(withinBytes(folder, bytes));
  });
}

/** False for a folder. */
const unlinked = (folder: FileHandle, name: Buffer): Promise<boolean> =>
  unlink(withinBytes(folder, name)).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'EISDIR') throw error;
      return false;
    },
  );

async function overAndOver(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!exchanged.has(codeOf(error)) || tries === mostTries) throw error;
    }
}

async function empty(folder: FileHandle, depth: number, removal: Removal): Promise<void> {
  for (let names = await firstNames(folder, batch); names.length > 0;) {
    for (const name of names) {
      if (++removal.names > mostNames)
        throw new NotPossible('There is too much in the folder; a part is left.');
      await overAndOver(() => remove(folder, name, depth, removal)).catch(unlessGone);
    }
    names = await firstNames(folder, batch);
  }
}

async function remove(folder: FileHandle, name: Buffer, depth: number, removal: Removal): Promise<void> {
  if (await unlinked(folder, name)) return;
  // Too deep to be held open to its end: it is taken up, and removed from there.
  if (depth === mostOpen)
    return rename(withinBytes(folder, name), withinBytes(removal.top, Buffer.from(randomUUID())));
  const inner = await openFolderAt(withinBytes(folder, name));
  try {
    if ((await inner.stat()).dev !== removal.device)
      throw new NotPossible('Another disk is mounted in the folder: what is on it stays.');
    await empty(inner, depth + 1, removal);
  } finally {
    await inner.close();
  }
  await rmdir(withinBytes(folder, name));
}

const unlessGone = (error: unknown): void => {
  if (codeOf(error) !== 'ENOENT') throw error;
};
