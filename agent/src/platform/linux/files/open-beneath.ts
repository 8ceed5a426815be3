/**
 * Resolves paths that cannot leave a folder. Each step starts at the open folder before it and never follows a symbolic
 * link; the text of a link is read and resolved in the same way. Replacing entries meanwhile has no effect.
 */
import type { Stats } from 'node:fs';
import { lstat, readlink, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { NotPossible } from '../../platform.ts';
import { errorCodeOf } from '../../uploads/readable-errors.ts';
import { isForeignHardLink, linkRefused, requiredOwner } from './link-policy.ts';
import {
  closeAll,
  maxOpenFolders,
  openDirectory,
  openPath,
  reopenForReading,
  pathWithin,
} from './handles.ts';

const maxLinks = 40;

/** An open folder and the name of an entry in it, so that no parent folder is needed to address the entry. */
export interface FolderEntry {
  folder: FileHandle;
  name: string;
  /** A path for system calls. */
  path: string;
}

/** A path component; or, after the components of a link, the user who must own the target of the link. */
type Step = string | { owner: number };

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** The folder at the end of a path. The handle can only be used for calls relative to it. */
export const openFolder = (root: string, path: string): Promise<FileHandle> => walk(root, path, false);

/** Opens a file for reading, also through links that stay below the root. */
export async function openFile(root: string, path: string): Promise<FileHandle> {
  const named = await walk(root, path, true);
  try {
    return await reopenForReading(named);
  } finally {
    await named.close();
  }
}

/** Calls `work` with the folder that contains the last name of a path; the entry itself is not examined. */
export async function withFolderEntry<Result>(
  root: string,
  path: string,
  work: (entry: FolderEntry) => Promise<Result>,
): Promise<Result> {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined || name === '..') throw new NotPossible('The path does not name a file.');
  const folder = await openFolder(root, parts.join('/'));
  try {
    return await work({ folder, name, path: pathWithin(folder, name) });
  } finally {
    await folder.close();
  }
}

/** Resolves a path to a folder, or with `anything` to an entry of any kind. */
async function walk(root: string, path: string, anything: boolean): Promise<FileHandle> {
  let todo: Step[] = partsOf(path);
  const passed: FileHandle[] = [await openRoot(root)];
  try {
    for (let links = 0; todo.length > 0;) {
      const step = todo.shift()!;
      const here = passed.at(-1)!;
      if (typeof step === 'object') {
        if ((await here.stat()).uid !== step.owner) throw linkRefused();
      } else if (step === '..') {
        if (passed.length > 1) await passed.pop()!.close();
      } else {
        const isLast = !todo.some((each) => typeof each === 'string');
        const next = await openStep(here, step, anything && isLast);
        if ('handle' in next) passed.push(next.handle);
        else {
          if (++links > maxLinks) throw new NotPossible('The path contains too many symbolic links.');
          if (next.text.startsWith('/')) await closeAll(passed.splice(1));
          todo = [...partsOf(belowRoot(root, next.text)), ...next.owned, ...todo];
        }
        if (passed.length > maxOpenFolders) throw new NotPossible('The path has too many levels of folders.');
      }
    }
    return passed.pop()!;
  } finally {
    await closeAll(passed);
  }
}

/** The path of the root contained no links when it was resolved, so none is followed now. */
async function openRoot(root: string): Promise<FileHandle> {
  let here = await openDirectory('/');
  for (const name of partsOf(root)) {
    const above = here;
    try {
      here = await openDirectory(pathWithin(above, name));
    } finally {
      await above.close();
    }
  }
  return here;
}

type StepResult = { handle: FileHandle } | { text: string; owned: Step[] };

/** One step of a path: a handle, or the text of a link. */
async function openStep(folder: FileHandle, name: string, anything: boolean): Promise<StepResult> {
  const handle = await (anything ? openPath : openDirectory)(pathWithin(folder, name)).catch(
    (error: unknown) => error as Error,
  );
  if (handle instanceof Error) return linkAt(folder, name, handle);
  const [thing, around] = [await handle.stat(), await folder.stat()];
  if (!thing.isSymbolicLink() && !isForeignHardLink(around, thing)) return { handle };
  await handle.close();
  if (!thing.isSymbolicLink()) throw linkRefused();
  return linkAt(folder, name, new NotPossible('The path contains a symbolic link that cannot be followed.'));
}

/** Reads the link that caused the error; rethrows the error if the entry is not a link. */
async function linkAt(folder: FileHandle, name: string, error: Error): Promise<StepResult> {
  if (!(error instanceof NotPossible) && !['ELOOP', 'ENOTDIR'].includes(errorCodeOf(error))) throw error;
  const link = await openPath(pathWithin(folder, name)).catch(() => undefined);
  try {
    const about = await link?.stat();
    if (!link || !about?.isSymbolicLink()) throw error;
    const owner = requiredOwner(await folder.stat(), about);
    const text = await textOf(link, about, pathWithin(folder, name));
    return { text, owned: owner === undefined ? [] : [{ owner }] };
  } finally {
    await link?.close();
  }
}

/** Longer than the resolution of file times. */
const settledMs = 50;

/**
 * Returns the text of the link whose owner was checked. It can only be read by name; but replacing a link and moving it
 * back changes its time, unless it was changed just before.
 */
async function textOf(link: FileHandle, about: Stats, path: string): Promise<string> {
  if (Date.now() - about.ctimeMs < settledMs) await pause(settledMs);
  const text = await readlink(path).catch(() => {
    throw linkRefused();
  });
  const [named, held] = [await lstat(path).catch(() => undefined), await link.stat()];
  if (named?.ino !== about.ino || named.dev !== about.dev || held.ctimeMs !== about.ctimeMs)
    throw linkRefused();
  return text;
}

/** An absolute link is allowed only if it stays below the root. */
function belowRoot(root: string, target: string): string {
  if (!target.startsWith('/') || root === '/') return target;
  if (target === root || target.startsWith(`${root}/`)) return target.slice(root.length);
  throw new NotPossible('The link points outside the folder that operators can access.');
}
