/** Writes files so that after a crash at any moment either the old or the new content exists. */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
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

/** Replaces a program instead of writing into it, because a process may run from it. */
export function copyProgram(from: string, to: string, mode: number): void {
  rmSync(`${to}.new`, { force: true });
  copyFileSync(from, `${to}.new`, constants.COPYFILE_EXCL);
  chmodSync(`${to}.new`, mode);
  renameSync(`${to}.new`, to);
}
