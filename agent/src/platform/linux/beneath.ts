/**
 * Paths that can not leave a folder. Each step is taken from the open folder before it and never through a symbolic
 * link; where a link stands, its text is read and walked in the same way. A swap while somebody walks changes nothing.
 */
import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { NotPossible } from '../platform.ts';

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const mostLinks = 40;

/** An open folder and a name in it: where it is can be said without naming any folder above. */
export interface Spot {
  folder: FileHandle;
  name: string;
  /** A path for calls of the system. */
  path: string;
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The place of a name in an open folder, as the system lets a process say it. */
export const within = (folder: FileHandle, name: string): string => `/proc/self/fd/${folder.fd}/${name}`;

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** The folder at the end of a path, open. */
export async function openFolder(root: string, path: string): Promise<FileHandle> {
  let todo = partsOf(path);
  const passed: FileHandle[] = [await open(root, constants.O_RDONLY | constants.O_DIRECTORY)];
  try {
    for (let links = 0; todo.length > 0;) {
      const [name, ...rest] = todo as [string, ...string[]];
      todo = rest;
      if (name === '..') {
        if (passed.length > 1) await passed.pop()!.close();
        continue;
      }
      const next = await open(within(passed.at(-1)!, name), folderFlags).catch((error: unknown) => error);
      if (!(next instanceof Error)) {
        passed.push(next as FileHandle);
        continue;
      }
      const target = await linkAt(passed.at(-1)!, name, next);
      if (++links > mostLinks) throw new NotPossible('Too many links lead from one to the next.');
      if (target.startsWith('/')) await closeAll(passed.splice(1));
      todo = [...partsOf(belowRoot(root, target)), ...todo];
    }
    return passed.pop()!;
  } finally {
    await closeAll(passed);
  }
}

/** The text of the link that stood in the way; what is no link keeps its own error. */
async function linkAt(folder: FileHandle, name: string, error: Error): Promise<string> {
  if (!['ELOOP', 'ENOTDIR'].includes(codeOf(error))) throw error;
  return readlink(within(folder, name)).catch(() => {
    throw error;
  });
}

/** A link with a whole path counts only if it stays below the root. */
function belowRoot(root: string, target: string): string {
  if (!target.startsWith('/') || root === '/') return target;
  if (target === root || target.startsWith(`${root}/`)) return target.slice(root.length);
  throw new NotPossible('The link leads out of the folder that is open to operators.');
}

const closeAll = async (handles: FileHandle[]): Promise<void> =>
  void (await Promise.all(handles.map((handle) => handle.close())));

/** Works in the folder that holds the last name of a path; the name itself is not looked at. */
export async function atSpot<Result>(
  root: string,
  path: string,
  work: (spot: Spot) => Promise<Result>,
): Promise<Result> {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined || name === '..') throw new NotPossible('The path names no file.');
  const folder = await openFolder(root, parts.join('/'));
  try {
    return await work({ folder, name, path: within(folder, name) });
  } finally {
    await folder.close();
  }
}

/** Opens a file for reading, also through links that stay below the root. */
export async function openFile(root: string, path: string, links = 0): Promise<FileHandle> {
  const opened = await atSpot(root, path, async (spot) => {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(spot.path, flags).catch((error: unknown) => error as Error);
    return handle instanceof Error ? { link: await linkAt(spot.folder, spot.name, handle) } : { handle };
  });
  if ('handle' in opened) return opened.handle;
  if (links >= mostLinks) throw new NotPossible('Too many links lead from one to the next.');
  const base = opened.link.startsWith('/') ? '' : path.slice(0, path.lastIndexOf('/') + 1);
  return openFile(root, `${base}${belowRoot(root, opened.link)}`, links + 1);
}
