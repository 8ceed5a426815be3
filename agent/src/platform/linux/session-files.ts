/** The file system for an operator, below one folder: the whole of it, or the one that a setting names. */
import { realpath, lstat, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Files, GrowingFile, ReadableFile } from '../files.ts';
import { NotPossible } from '../platform.ts';
import { atSpot, codeOf, openFile } from './beneath.ts';
import { createPages } from './folder-pages.ts';
import { createGrowing } from './growing-file.ts';
import { giveFolder } from './ownership.ts';
import { takeName } from './take-name.ts';
import { createSweeper } from './unfinished.ts';

export async function openFiles(env: NodeJS.ProcessEnv = process.env): Promise<Files> {
  const root = await realpath(env['DRAWBRIDGE_AGENT_FILES'] ?? '/');
  const sweeper = createSweeper();
  const page = createPages(root, sweeper);
  return {
    home: homeBelow(root),
    list: (path, after) => inWords(page(path, after)),
    open: (path) => inWords(openToRead(root, path)),
    create: (file) => inWords(createGrowing(root, file, sweeper).then(growingInWords)),
    folder: (path) => inWords(makeFolder(root, path)),
    rename: (path, to) => inWords(move(root, path, to)),
    remove: (path) => inWords(atSpot(root, path, (spot) => rm(spot.path, { recursive: true }))),
  };
}

/** Where an operator begins to look. */
const homeBelow = (root: string): string => {
  if (root === '/') return homedir();
  return homedir().startsWith(`${root}/`) ? homedir().slice(root.length) : '/';
};

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

const makeFolder = (root: string, path: string): Promise<void> =>
  atSpot(root, path, async (spot) => {
    await mkdir(spot.path);
    await giveFolder(spot.folder, spot.path);
  });

/** Moves a file without replacing another; folders, whose names can not be held, are looked for first. */
const move = (root: string, from: string, to: string): Promise<void> =>
  atSpot(root, from, (source) =>
    atSpot(root, to, async (target) => {
      if ((await lstat(source.path)).isDirectory()) {
        if (await isThere(target.path)) throw new NotPossible('There is something of that name already.');
        return rename(source.path, target.path);
      }
      return takeName(source.path, target.path);
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

/** What happens later, when a disk is full or a name was taken meanwhile, is told in the same way. */
const growingInWords = (file: GrowingFile): GrowingFile => ({
  ...file,
  write: (at, data) => inWords(file.write(at, data)),
  finish: (sha256) => inWords(file.finish(sha256)),
});
