/** Writes files so that after a crash at any moment either the old or the new content exists. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Replaces the file atomically and durably, or throws and leaves it as it was. Only its owner can read it. */
export function replaceFile(file: string, text: string): void {
  // A file left by an interrupted save is removed; a link of that name is not followed.
  rmSync(`${file}.new`, { force: true });
  try {
    writeDurably(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
  syncFolder(dirname(file));
}

function writeDurably(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    // Unlike `writeSync`, it does not stop in the middle of the text when the disk becomes full.
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Without this, a power failure could bring the old entry back. Windows cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Follows the name of a program in that of the folder with an unfinished copy of it. */
const unfinished = '.new-';

/**
 * Replaces a program instead of writing into it, because a process may run from it. Several processes may do that at the same
 * time. The copy keeps the time of the last change, in whole seconds.
 */
export async function copyProgram(from: string, to: string, mode: number): Promise<void> {
  // Nobody else can open this folder: the copy begins with the mode of the original, with which they could start it.
  const folder = await mkdtemp(`${to}${unfinished}`);
  const copy = join(folder, basename(to));
  try {
    await copyFile(from, copy);
    await finishCopy(copy, mode, Math.floor((await stat(from)).mtimeMs / 1_000));
    await rename(copy, to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  syncFolder(dirname(to));
}

async function finishCopy(copy: string, mode: number, seconds: number): Promise<void> {
  const file = await open(copy, 'r+');
  try {
    await file.chmod(mode);
    await file.utimes(seconds, seconds);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What followed it in the names of unfinished copies in earlier versions of the agent. */
const unfinishedBefore = /^\.([\da-f-]{36}\.)?new$/;

/** Removes what was left by processes that ended in the middle of a copy to this file. */
export function removeUnfinished(to: string): void {
  const [folder, program] = [dirname(to), basename(to)];
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.startsWith(program) && isUnfinished(name.slice(program.length)))
      rmSync(join(folder, name), { recursive: true, force: true });
}

const isUnfinished = (end: string): boolean => end.startsWith(unfinished) || unfinishedBefore.test(end);
