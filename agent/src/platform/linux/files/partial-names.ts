/** Partial files of interrupted uploads: kept beside their target for a day, so that the upload can be resumed. */
import { constants } from 'node:fs';
import { lstat, open, unlink, type FileHandle } from 'node:fs/promises';
import { isPartialName, partialKeptMs } from '../../uploads/upload-folder.ts';
import { readNames, pathWithin } from './handles.ts';

/** Limits per sweep: any user can create any number of such names. */
export const maxSwept = 1_000;
const maxNamesRead = 100_000;

/**
 * Opens the partial file of an earlier attempt, or an empty one. A file that is not the agent's own is removed, because
 * finishing the upload would give it to another owner.
 */
export async function openPartial(path: string): Promise<FileHandle> {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK, O_CREAT, O_EXCL } = constants;
  const left = await open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (left && (await isOwn(left))) {
    // Its day starts again.
    await left.utimes(new Date(), new Date());
    return left;
  }
  await left?.close();
  await unlink(path).catch(() => {});
  return open(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
}

const openToOthers = 0o077;

async function isOwn(handle: FileHandle): Promise<boolean> {
  const stats = await handle.stat();
  const isAlone = stats.nlink === 1 && (stats.mode & openToOthers) === 0;
  return stats.isFile() && isAlone && stats.uid === process.geteuid?.();
}

export interface Sweeper {
  /** Removes partial files in a folder that are older than a day. */
  sweep(folder: FileHandle, names: readonly string[]): Promise<void>;
  /** The same for callers that have not read the folder; a folder that was swept is not read again. */
  sweepOnce(folder: FileHandle): Promise<void>;
}

export function createSweeper(): Sweeper {
  const swept = new Set<string>();
  async function sweep(folder: FileHandle, names: readonly string[]): Promise<void> {
    const { dev, ino } = await folder.stat();
    swept.add(`${dev}:${ino}`);
    for (const name of names.filter(isPartialName).slice(0, maxSwept))
      await removeOld(pathWithin(folder, name));
  }
  return {
    sweep,
    async sweepOnce(folder) {
      const { dev, ino } = await folder.stat();
      // A folder that is writable but not readable is not swept.
      if (!swept.has(`${dev}:${ino}`))
        await sweep(folder, (await readNames(folder, maxNamesRead).catch(() => [])).map(String));
    },
  };
}

async function removeOld(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() && Date.now() - stats.mtimeMs > partialKeptMs) await unlink(path).catch(() => {});
}
