/** Writes files so that after a crash at any moment either the old or the new content exists. */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

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

/** The end of the name of an unfinished copy. */
export const unfinishedEnd = '.new';

/**
 * Replaces a program instead of writing into it, because a process may run from it. Several processes may do that at the same
 * time. The copy keeps the time of the last change, in whole seconds.
 */
export function copyProgram(from: string, to: string, mode: number): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1_000);
  const unfinished = `${to}.${randomUUID()}${unfinishedEnd}`;
  try {
    copyFileSync(from, unfinished, constants.COPYFILE_EXCL);
    chmodSync(unfinished, mode);
    utimesSync(unfinished, seconds, seconds);
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
