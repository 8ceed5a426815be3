/** Which symbolic links an agent follows: none that another user could have put there to lead it to what is not theirs. */
import type { Stats } from 'node:fs';
import { NotPossible } from '../platform.ts';

const [othersWrite, groupWrites, sticky] = [0o002, 0o020, 0o1000];

/** Root's, or the agent's own: nobody else changes it. */
export const isTrusted = (uid: number): boolean => uid === 0 || uid === process.geteuid?.();

/** Whether users beside its owner can put names into a folder or take them away. */
const isOpenToOthers = ({ mode, gid }: Stats): boolean =>
  (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && gid !== process.getegid?.());

/** Whether what stands in the folder, owned by that user, can only have been put there by root or by the agent's own user. */
export const isGuarded = (folder: Stats, uid: number): boolean =>
  isTrusted(folder.uid) && (!isOpenToOthers(folder) || ((folder.mode & sticky) !== 0 && isTrusted(uid)));

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
