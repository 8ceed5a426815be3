/** Which symbolic links an agent follows: none that another user could have put there to lead it to what is not theirs. */
import type { Stats } from 'node:fs';
import { isOpenToOthers, isSticky, isTrusted } from '../own-place.ts';
import { NotPossible } from '../platform.ts';

/** Whether what stands in the folder, owned by that user, can only have been put there by root or by the agent's own user. */
export const isGuarded = (folder: Stats, uid: number): boolean =>
  isTrusted(folder.uid) && (!isOpenToOthers(folder) || (isSticky(folder) && isTrusted(uid)));

/** Who must own what the link leads to; undefined where it may lead anywhere. */
export function ownerBehind(folder: Stats, link: Stats): number | undefined {
  if (isGuarded(folder, link.uid)) return undefined;
  // Of a link of root's in such a folder nobody knows who gave it its name.
  if (isTrusted(link.uid)) throw led();
  return link.uid;
}

/** A second name of a file that others could have made, as a link that is none. */
export const isPlantedName = (folder: Stats, file: Stats): boolean =>
  file.isFile() && file.nlink > 1 && isTrusted(file.uid) && !isGuarded(folder, file.uid);

export const led = (): NotPossible =>
  new NotPossible('A link that another user can change leads there: open the place itself.');
