/** Removes a folder recursively, relative to open folders: safe while local users change the tree. */
import { randomUUID } from 'node:crypto';
import { rename, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { NotPossible } from '../../platform.ts';
import { errorCodeOf } from '../../uploads/readable-errors.ts';
import { maxOpenFolders, mountOf, openDirectory, readNames, pathWithinBytes } from './handles.ts';

/** Names read at a time. */
const batchSize = 1_000;
/** Limits against a user who adds or exchanges entries faster than they are removed. */
const [maxNames, maxTries] = [5_000_000, 8];

/** Errors that mean that an entry was exchanged, or a folder filled, during the removal. */
const exchanged = new Set(['ENOTDIR', 'ELOOP', 'ENOTEMPTY', 'EEXIST']);

interface Removal {
  top: FileHandle;
  /** Where the entry is; other mounts are not entered. */
  mount: string;
  /** Entries processed so far. */
  names: number;
}

/** Removes an entry of any kind. Of a symbolic link only the link is removed. */
export async function removeAt(folder: FileHandle, name: string): Promise<void> {
  const bytes = Buffer.from(name);
  await withRetries(async () => {
    if (await unlinked(folder, bytes)) return;
    const top = await openDirectory(pathWithinBytes(folder, bytes));
    try {
      const removal = { top, mount: await mountOf(folder), names: 0 };
      await requireSameMount(top, removal);
      await empty(top, 1, removal);
    } finally {
      await top.close();
    }
    await rmdir(pathWithinBytes(folder, bytes));
  });
}

/** False if the entry is a folder. */
const unlinked = (folder: FileHandle, name: Buffer): Promise<boolean> =>
  unlink(pathWithinBytes(folder, name)).then(
    () => true,
    (error: unknown) => {
      if (errorCodeOf(error) !== 'EISDIR') throw error;
      return false;
    },
  );

async function withRetries(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!exchanged.has(errorCodeOf(error))) throw error;
      // Thrown as NotPossible, so that callers do not retry: the attempts would multiply with the depth.
      if (tries === maxTries)
        throw new NotPossible('The folder could not be removed because its content keeps changing.');
    }
}

async function empty(folder: FileHandle, depth: number, removal: Removal): Promise<void> {
  for (let names = await readNames(folder, batchSize); names.length > 0;) {
    for (const name of names) {
      if (++removal.names > maxNames)
        throw new NotPossible('The folder has too many entries. Part of it was removed.');
      await withRetries(() => remove(folder, name, depth, removal)).catch(unlessGone);
    }
    names = await readNames(folder, batchSize);
  }
}

async function remove(folder: FileHandle, name: Buffer, depth: number, removal: Removal): Promise<void> {
  if (await unlinked(folder, name)) return;
  // Moved to the top and removed from there, so that the number of open handles stays limited.
  if (depth === maxOpenFolders)
    return rename(pathWithinBytes(folder, name), pathWithinBytes(removal.top, Buffer.from(randomUUID())));
  const inner = await openDirectory(pathWithinBytes(folder, name));
  try {
    await requireSameMount(inner, removal);
    await empty(inner, depth + 1, removal);
  } finally {
    await inner.close();
  }
  await rmdir(pathWithinBytes(folder, name));
}

async function requireSameMount(folder: FileHandle, { mount }: Removal): Promise<void> {
  if ((await mountOf(folder)) !== mount)
    throw new NotPossible('Another disk is mounted in the folder. Its content was not removed.');
}

/** It is not an error if somebody else has removed the entry meanwhile. */
const unlessGone = (error: unknown): void => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
};
