/** Whose a file is that an operator brings, and who may use it. */
import { constants } from 'node:fs';
import { lstat, open, readFile, type FileHandle } from 'node:fs/promises';
import { errorCodeOf, readNames } from './handles.ts';

const [wholeMode, withoutSetId, usualMode] = [0o7777, 0o777, 0o644];

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Some file systems know neither owners nor modes, and some files may not be given away: false then. */
export const ignoreUnsupported = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCodeOf(error))) throw error;
      return false;
    },
  );

/** The file takes after the one that it replaces; a new one is as if the owner of its folder had made it. */
export async function inheritOwnership(
  handle: FileHandle,
  folder: FileHandle,
  target: string,
): Promise<void> {
  const replaced = await lstat(target).catch(() => undefined);
  if (!replaced?.isFile()) {
    if (isRoot()) await chownTo(handle, await folder.stat());
    await ignoreUnsupported(handle.chmod(usualMode & ~(await currentUmask())));
    return;
  }
  const isGiven = await chownTo(handle, replaced);
  // Whose a program is that runs as its owner is not for a mode to change. A hard link can have been created by another user.
  const keepsSetId = isGiven && replaced.nlink === 1;
  await ignoreUnsupported(handle.chmod(replaced.mode & (keepsSetId ? wholeMode : withoutSetId)));
}

/** Who can not give a file away keeps it, with the group if that can be. */
async function chownTo(handle: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<boolean> {
  const isGiven = await ignoreUnsupported(handle.chown(uid, gid));
  if (!isGiven) await ignoreUnsupported(handle.chown(-1, gid));
  return isGiven;
}

/** Asked of the system: the process can only be asked by changing it for a moment, while other threads make files. */
async function currentUmask(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return Number.parseInt(/^Umask:\s*([0-7]+)$/m.exec(status)?.[1] ?? '022', 8);
}

/** A new folder that root has made becomes that of whom its folder is. */
export async function inheritFolderOwner(folder: FileHandle, place: string): Promise<void> {
  if (!isRoot()) return;
  const made = await open(place, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // If it is not empty or not the agent's, another user has put it in the place of the new folder.
    const isOwn = (await made.stat()).uid === process.geteuid?.();
    if (isOwn && (await readNames(made, 1)).length === 0) await chownTo(made, await folder.stat());
  } finally {
    await made.close();
  }
}
