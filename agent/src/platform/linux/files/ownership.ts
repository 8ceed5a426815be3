/** Sets owner and mode of files that an operator uploads. */
import { constants } from 'node:fs';
import { lstat, open, readFile, type FileHandle } from 'node:fs/promises';
import { errorCodeOf } from '../../uploads/readable-errors.ts';
import { readNames } from './handles.ts';

const [fullMode, withoutSetId, defaultMode] = [0o7777, 0o777, 0o644];

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Returns false if the file system supports no owners or modes, or the agent may not change the owner. */
export const ignoreUnsupported = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCodeOf(error))) throw error;
      return false;
    },
  );

/** The file gets owner and mode of the file that it replaces; a new file is as if the owner of its folder had created it. */
export async function inheritOwnership(
  handle: FileHandle,
  folder: FileHandle,
  target: string,
): Promise<void> {
  const replaced = await lstat(target).catch(() => undefined);
  if (!replaced?.isFile()) {
    if (isRoot()) await chownTo(handle, await folder.stat());
    await ignoreUnsupported(handle.chmod(defaultMode & ~(await currentUmask())));
    return;
  }
  const isGiven = await chownTo(handle, replaced);
  // The set-id bits are kept only with the same owner, and not for hard links, which another user can have created.
  const keepsSetId = isGiven && replaced.nlink === 1;
  await ignoreUnsupported(handle.chmod(replaced.mode & (keepsSetId ? fullMode : withoutSetId)));
}

/** If the owner cannot be changed, at least the group is, if possible. */
async function chownTo(handle: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<boolean> {
  const isGiven = await ignoreUnsupported(handle.chown(uid, gid));
  if (!isGiven) await ignoreUnsupported(handle.chown(-1, gid));
  return isGiven;
}

/** Read from /proc, because `process.umask` can only read it by changing it while other threads create files. */
async function currentUmask(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return Number.parseInt(/^Umask:\s*([0-7]+)$/m.exec(status)?.[1] ?? '022', 8);
}

/** Gives a new folder that root created to the owner of its parent folder. */
export async function inheritFolderOwner(folder: FileHandle, path: string): Promise<void> {
  if (!isRoot()) return;
  const created = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // If it is not empty or not the agent's, another user has replaced the new folder.
    const isOwn = (await created.stat()).uid === process.geteuid?.();
    if (isOwn && (await readNames(created, 1)).length === 0) await chownTo(created, await folder.stat());
  } finally {
    await created.close();
  }
}
