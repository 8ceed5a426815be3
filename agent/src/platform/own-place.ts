/** Folders for what the agent keeps and loads: only those in which nobody else can put a file or exchange a folder above. */
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { NotPossible } from './platform.ts';

const [othersWrite, groupWrites] = [0o002, 0o020];
const sticky = 0o1000;

/** Whether only the owners of names in a folder can give them away, as in `/tmp`. */
export const isSticky = ({ mode }: Stats): boolean => (mode & sticky) !== 0;

/** Root, or the agent's own user. */
export const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();

/** Others can put names into the folder: anybody, or a group that the agent's user does not have for itself. */
export const isOpenToOthers = ({ mode, gid }: Stats): boolean =>
  (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && gid !== process.getegid?.());

/** Whether what the agent makes in this folder stays what it is. Folders like `/tmp` are shared, but names in there are safe. */
export function isSafeParent(folder: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    return isSafe(resolve(folder));
  } catch {
    return false; // it can not be looked at, or leads nowhere
  }
}

function isSafe(path: string): boolean {
  if (path !== '/' && !isSafe(dirname(path))) return false;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return true; // it is yet to be made
  if (!isTrusted(stats.uid)) return false;
  if (stats.isSymbolicLink()) return isSafe(realpathSync(path));
  return !isOpenToOthers(stats) || isSticky(stats);
}

/** Whether all that is in this folder was put there by root or by the agent's own user. */
export function isOwnPlace(folder: string): boolean {
  const stats = isSafeParent(folder) && statSync(folder, { throwIfNoEntry: false });
  return stats !== false && (process.platform === 'win32' || !stats || !isOpenToOthers(stats));
}

/** An agent that is root does what its state says: the state must not be for others to write. */
export function requireOwnPlace(folder: string): string {
  if (process.geteuid?.() === 0 && !isOwnPlace(folder))
    throw new NotPossible(
      `Others than root can change what is in ${folder}: the agent's folder, and those above it, must be root's alone.`,
    );
  return folder;
}
