/** Which symbolic links the agent follows: a local user must not be able to redirect it to files of other users. */
import type { Stats } from 'node:fs';
import { NotPossible } from '../../platform.ts';
import { isOpenToOthers, isSticky, isTrusted } from '../../private-folder.ts';

/** Whether only root or the agent's user can have created an entry with this owner in the folder. */
const isGuarded = (folder: Stats, uid: number): boolean =>
  isTrusted(folder.uid) && (!isOpenToOthers(folder) || (isSticky(folder) && isTrusted(uid)));

/** The user who must own the target of the link; undefined if any target is allowed. */
export function requiredOwner(folder: Stats, link: Stats): number | undefined {
  if (isGuarded(folder, link.uid)) return undefined;
  // In such a folder another user can have renamed or hard-linked a link of root.
  if (isTrusted(link.uid)) throw linkRefused();
  return link.uid;
}

/** A hard link, which another user can have created, to a file of root or of the agent's user. */
export const isForeignHardLink = (folder: Stats, file: Stats): boolean =>
  file.isFile() && file.nlink > 1 && isTrusted(file.uid) && !isGuarded(folder, file.uid);

export const linkRefused = (): NotPossible =>
  new NotPossible(
    'The path contains a link that another user can change. Open the target of the link instead.',
  );
