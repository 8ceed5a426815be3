/** Files that have not come whole: kept beside their place for a day, so that a broken try can be gone on with. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, unlink, type FileHandle } from 'node:fs/promises';
import type { NewFile } from '../../files.ts';
import { readNames, pathWithin } from './handles.ts';

const keptMs = 24 * 60 * 60_000;
/** Limits per sweep: any user can create any number of such names. */
export const maxSwept = 1_000;
const maxNamesRead = 100_000;

/** The same file from the same source finds what an earlier try has left. */
export const partialName = ({ path, size, time }: NewFile): string =>
  `.${createHash('sha256')
    .update(JSON.stringify([path, size, time]))
    .digest('hex')
    .slice(0, 32)}.drawbridge-part`;

export const isPartialName = (name: string): boolean => /^\.[0-9a-f]{32}\.drawbridge-part$/.test(name);

/** What an earlier try has left, or an empty file. What is not this agent's own is removed, as it would be given away. */
export async function openPartial(path: string): Promise<FileHandle> {
  const { O_RDWR, O_NOFOLLOW, O_NONBLOCK, O_CREAT, O_EXCL } = constants;
  const left = await open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (left && (await isOwn(left))) {
    // From now on it is a day old in a day.
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
  /** Removes what has been left in a folder for more than a day. */
  sweep(folder: FileHandle, names: readonly string[]): Promise<void>;
  /** The same for whoever has not read the folder; a folder that was swept is not read again. */
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
      // A folder that can be written to and not read keeps what is in there.
      if (!swept.has(`${dev}:${ino}`))
        await sweep(folder, (await readNames(folder, maxNamesRead).catch(() => [])).map(String));
    },
  };
}

async function removeOld(path: string): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats?.isFile() && Date.now() - stats.mtimeMs > keptMs) await unlink(path).catch(() => {});
}
