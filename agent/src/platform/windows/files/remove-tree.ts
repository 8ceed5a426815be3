/** Removes a file, or a folder with everything in it, relative to open folders. Of a link only the link is removed. */
import { NotPossible } from '../../platform.ts';
import { errorCodeOf } from '../../uploads/readable-errors.ts';
import type { Handle, WindowsApi } from '../api/windows-api.ts';
import { fileRights, kindOf, markDeleted, openAt } from './native-files.ts';
import { readFolder } from './read-folder.ts';

/** Limits against local users, who can nest folders and add entries without end. */
const [maxDepth, maxNames] = [128, 5_000_000];
/** Names read at a time. */
const batchSize = 1_000;

interface Removal {
  api: WindowsApi;
  /** Entries processed so far. */
  names: number;
}

export const removeAt = (api: WindowsApi, folder: Handle, name: string): Promise<void> =>
  remove({ api, names: 0 }, folder, name, 1);

async function remove(removal: Removal, folder: Handle, name: string, depth: number): Promise<void> {
  const { api } = removal;
  if (++removal.names > maxNames)
    throw new NotPossible('The folder has too many entries. Part of it was removed.');
  if (depth > maxDepth) throw new NotPossible('The folder has too many levels. Part of it was removed.');
  const handle = await openAt(api, folder, name, { rights: fileRights.delete | fileRights.list });
  try {
    const { isFolder, isLink } = kindOf(api, handle);
    if (isFolder && !isLink) await empty(removal, handle, depth);
    markDeleted(api, handle);
  } finally {
    api.CloseHandle(handle);
  }
}

/** Reads the names again until there are none, because others may add some meanwhile. */
async function empty(removal: Removal, folder: Handle, depth: number): Promise<void> {
  for (;;) {
    const names: string[] = [];
    await readFolder(removal.api, folder, (entry) => names.push(entry.name) < batchSize);
    if (names.length === 0) return;
    for (const name of names) await remove(removal, folder, name, depth + 1).catch(unlessGone);
  }
}

/** It is not an error if somebody else has removed the entry meanwhile. */
const unlessGone = (error: unknown): void => {
  if (errorCodeOf(error) !== 'ENOENT') throw error;
};
