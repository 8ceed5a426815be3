/** Lists a folder, or the drives, page by page, sorted by name. */
import type { FileEntry } from '@drawbridge/contract/session/messages';
import type { FilePage } from '../../files.ts';
import { isPartialName } from '../../uploads/upload-folder.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { driveLetters } from '../inventory/disks.ts';
import { openFolder } from './open-folder.ts';
import { parsePath } from './path-rules.ts';
import { readFolder } from './read-folder.ts';

/** The most entries shown of one folder, because nobody scrolls through more. */
const maxShown = 20_000;
const pageLength = 500;

/** The entries of a folder at the time its first page was requested. */
interface FolderListing {
  path: string;
  shown: FileEntry[];
  total: number;
}

export function createFolderPages(api: WindowsApi): (path: string, after?: string) => Promise<FilePage> {
  let last: FolderListing | undefined;
  return async (path, after) => {
    const known = after !== undefined && last?.path === path ? last : undefined;
    const { shown, total } = known ?? { path, ...(await entriesOf(api, path)) };
    const from = after === undefined ? 0 : shown.findIndex(({ name }) => name > after);
    const entries = from < 0 ? [] : shown.slice(from, from + pageLength);
    const more = from >= 0 && from + pageLength < shown.length;
    // Kept only while there is a next page.
    last = more ? { path, shown, total } : undefined;
    return { entries, more, total };
  };
}

async function entriesOf(api: WindowsApi, path: string): Promise<Pick<FolderListing, 'shown' | 'total'>> {
  if (!parsePath(path)) {
    const drives = driveLetters(api).map(driveEntry);
    return { shown: drives, total: drives.length };
  }
  const folder = await openFolder(api, path);
  try {
    let shown: FileEntry[] = [];
    let total = 0;
    await readFolder(api, folder, (entry) => {
      if (isPartialName(entry.name)) return true;
      total += 1;
      // Shortened from time to time, so that memory stays limited whatever the size of the folder.
      if (shown.push(entry) === 4 * maxShown) shown = shown.toSorted(byName).slice(0, maxShown);
      return true;
    });
    return { shown: shown.toSorted(byName).slice(0, maxShown), total };
  } finally {
    api.CloseHandle(folder);
  }
}

const driveEntry = (name: string): FileEntry => ({ name, kind: 'folder', size: 0, time: 0, writable: true });

const byName = (one: FileEntry, other: FileEntry): number => (one.name < other.name ? -1 : 1);
