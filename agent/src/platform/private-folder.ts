/** Checks that no other user can create or replace files in a folder that the agent keeps state in or loads code from. */
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isOwnGroup } from './own-group.ts';
import { NotPossible } from './platform.ts';

const [othersWrite, groupWrites] = [0o002, 0o020];
const sticky = 0o1000;

/** In a sticky folder such as `/tmp` only the owner of an entry can rename or remove it. */
export const isSticky = ({ mode }: Stats): boolean => (mode & sticky) !== 0;

/** Root, or the user that the agent runs as. */
export const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();

/** Other users can write to the folder: all, or those of a group that is not the agent's user's alone. */
export const isOpenToOthers = ({ mode, gid }: Stats): boolean =>
  (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && !isOwnGroup(gid));

/** Whether no other user can replace what the agent creates in this folder. True for `/tmp`, which is sticky. */
export function isSafeParent(folder: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    return isSafe(resolve(folder));
  } catch {
    return false; // not accessible, or a dangling link
  }
}

function isSafe(path: string): boolean {
  if (path !== '/' && !isSafe(dirname(path))) return false;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return true; // does not exist yet
  if (!isTrusted(stats.uid)) return false;
  if (stats.isSymbolicLink()) return isSafe(realpathSync(path));
  return !isOpenToOthers(stats) || isSticky(stats);
}

/** Whether no other user can have created anything in this folder. */
export function isPrivateFolder(folder: string): boolean {
  const stats = isSafeParent(folder) && statSync(folder, { throwIfNoEntry: false });
  return stats !== false && (process.platform === 'win32' || !stats || !isOpenToOthers(stats));
}

/** The state of an agent that runs as root decides which server controls the device, so no other user may write it. */
export function requirePrivateFolder(folder: string): string {
  if (process.geteuid?.() === 0 && !isPrivateFolder(folder))
    throw new NotPossible(
      `Users other than root can change the content of ${folder}. The agent's folder and its parents must be writable by root only.`,
    );
  return folder;
}

/** Like `requirePrivateFolder`; on Windows it also creates the folder and restricts the access to it and to all that is in it. */
export async function securePrivateFolder(folder: string): Promise<string> {
  if (process.platform === 'win32') {
    const { loadWindowsApi } = await import('./windows/api/windows-api.ts');
    const { protectFolder } = await import('./windows/protected-folder.ts');
    protectFolder(await loadWindowsApi(), folder);
  }
  return requirePrivateFolder(folder);
}
