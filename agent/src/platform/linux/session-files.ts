/** The file system for an operator, below one folder: the whole of it, or the one that a setting names. */
import { realpath, lstat, mkdir, readdir, rename, rm, link, unlink, access } from 'node:fs/promises';
import { constants, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import type { FileEntry } from '@drawbridge/contract/session/words';
import type { Files, ReadableFile } from '../files.ts';
import { NotPossible } from '../platform.ts';
import { atSpot, codeOf, openFile, openFolder, within } from './beneath.ts';
import { createGrowing, isUnfinished } from './growing-file.ts';

/** Entries of one folder that are read; larger folders are cut, as nobody scrolls through them. */
const mostEntries = 20_000;

export async function openFiles(env: NodeJS.ProcessEnv = process.env): Promise<Files> {
  const root = await realpath(env['DRAWBRIDGE_AGENT_FILES'] ?? '/');
  return {
    home: homeBelow(root),
    list: (path) => inWords(list(root, path)),
    open: (path) => inWords(openToRead(root, path)),
    create: (file) => inWords(createGrowing(root, file)),
    folder: (path) => inWords(atSpot(root, path, (spot) => mkdir(spot.path).then(() => undefined))),
    rename: (path, to) => inWords(move(root, path, to)),
    remove: (path) => inWords(atSpot(root, path, (spot) => rm(spot.path, { recursive: true }))),
  };
}

/** Where an operator begins to look. */
const homeBelow = (root: string): string => {
  if (root === '/') return homedir();
  return homedir().startsWith(`${root}/`) ? homedir().slice(root.length) : '/';
};

async function list(root: string, path: string): Promise<FileEntry[]> {
  const folder = await openFolder(root, path);
  try {
    const names = (await readdir(within(folder, '.'))).filter((name) => !isUnfinished(name)).toSorted();
    const entries = await Promise.all(
      names.slice(0, mostEntries).map(async (name) => {
        const place = within(folder, name);
        const [stats, writable] = await Promise.all([
          lstat(place).catch(() => undefined),
          access(place, constants.W_OK).then(
            () => true,
            () => false,
          ),
        ]);
        return stats && entryOf(name, stats, writable);
      }),
    );
    return entries.filter((entry) => entry !== undefined);
  } finally {
    await folder.close();
  }
}

const entryOf = (name: string, stats: Stats, writable: boolean): FileEntry => ({
  name,
  kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other',
  size: stats.isFile() ? stats.size : 0,
  time: Math.floor(stats.mtimeMs / 1_000),
  writable,
});

async function openToRead(root: string, path: string): Promise<ReadableFile> {
  const handle = await openFile(root, path);
  const stats = await handle.stat();
  if (!stats.isFile()) {
    await handle.close();
    throw new NotPossible('Only files can be fetched.');
  }
  return {
    size: stats.size,
    time: Math.floor(stats.mtimeMs / 1_000),
    async read(at, length) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      return buffer.subarray(0, bytesRead);
    },
    close: () => handle.close(),
  };
}

/** Moves a file without replacing another; folders, which can not be linked, are looked for first. */
const move = (root: string, from: string, to: string): Promise<void> =>
  atSpot(root, from, (source) =>
    atSpot(root, to, async (target) => {
      if ((await lstat(source.path)).isDirectory()) {
        if (await isThere(target.path)) throw new NotPossible('There is something of that name already.');
        return rename(source.path, target.path);
      }
      await link(source.path, target.path);
      await unlink(source.path);
    }),
  );

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const sentences: Record<string, string> = {
  ENOENT: 'There is nothing of that name.',
  EACCES: 'The agent may not do that there.',
  EPERM: 'The agent may not do that there.',
  EEXIST: 'There is something of that name already.',
  ENOTDIR: 'A part of the path is no folder.',
  ELOOP: 'A link stands in the way.',
  ENAMETOOLONG: 'The name is too long.',
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk is full.',
  EROFS: 'The disk can only be read.',
  EISDIR: 'That is a folder.',
  ENXIO: 'Only files can be fetched.',
  EXDEV: 'A file can not be moved to another disk.',
};

/** What the system refuses is told in a sentence that names no place outside. */
const inWords = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof NotPossible
      ? error
      : new NotPossible(
          sentences[codeOf(error)] ?? `The system refused: ${codeOf(error) || 'no reason given'}.`,
        );
  });
