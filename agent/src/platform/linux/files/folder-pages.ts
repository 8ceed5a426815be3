/** Lists a folder page by page, sorted by name. Only the entries of the requested page are examined. */
import { constants, type Stats } from 'node:fs';
import { access, lstat, opendir, type FileHandle } from 'node:fs/promises';
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { FilePage } from '../../files.ts';
import { isPartialName } from '../../uploads/upload-folder.ts';
import { openFolder } from './open-beneath.ts';
import { pathWithin } from './handles.ts';
import { maxSwept, type Sweeper } from './partial-names.ts';

/** The most entries shown of one folder, because nobody scrolls through more. */
const maxShown = 20_000;
const pageLength = 500;

/** The names of a folder at the time its first page was requested. */
interface FolderListing {
  path: string;
  shown: string[];
  total: number;
}

export function createFolderPages(
  root: string,
  sweeper: Sweeper,
): (path: string, after?: string) => Promise<FilePage> {
  let last: FolderListing | undefined;
  return async (path, after) => {
    const folder = await openFolder(root, path);
    try {
      const known = after !== undefined && last?.path === path ? last : undefined;
      const names = known ?? { path, ...(await namesIn(folder, sweeper)) };
      const from = after === undefined ? 0 : names.shown.findIndex((name) => name > after);
      const page = from < 0 ? [] : names.shown.slice(from, from + pageLength);
      const more = from >= 0 && from + pageLength < names.shown.length;
      // Kept only while there is a next page.
      last = more ? names : undefined;
      return {
        entries: await Promise.all(page.map((name) => entryAt(folder, name))),
        more,
        total: names.total,
      };
    } finally {
      await folder.close();
    }
  };
}

async function namesIn(
  folder: FileHandle,
  sweeper: Sweeper,
): Promise<Pick<FolderListing, 'shown' | 'total'>> {
  let [shown, total]: [string[], number] = [[], 0];
  const partial: string[] = [];
  for await (const { name } of await opendir(pathWithin(folder, '.'))) {
    if (isPartialName(name)) {
      if (partial.length < maxSwept) partial.push(name);
      continue;
    }
    total += 1;
    // Shortened from time to time, so that memory stays limited whatever the size of the folder.
    if (shown.push(name) === 4 * maxShown) shown = shown.toSorted().slice(0, maxShown);
  }
  await sweeper.sweep(folder, partial);
  return { shown: shown.toSorted().slice(0, maxShown), total };
}

/** An entry that cannot be examined is listed nevertheless. */
async function entryAt(folder: FileHandle, name: string): Promise<FileEntry> {
  const path = pathWithin(folder, name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats) return { name, kind: 'other', size: 0, time: 0, writable: false };
  const writable = !stats.isSymbolicLink() && (await isWritable(path));
  return entryOf(name, stats, writable);
}

/** Not called for links because `access` would follow them. */
const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

const entryOf = (name: string, stats: Stats, writable: boolean): FileEntry => ({
  name,
  kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other',
  size: stats.isFile() ? stats.size : 0,
  time: Math.floor(stats.mtimeMs / 1_000),
  writable,
});
