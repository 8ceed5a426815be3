/** Writes files so that after a crash at any moment either the old or the new content exists. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces the file atomically and durably. Only its owner can read it. */
export function replaceFile(file: string, text: string): void {
  // A file left by an interrupted save is removed; a link of that name is not followed.
  rmSync(`${file}.new`, { force: true });
  const descriptor = openSync(`${file}.new`, 'wx', 0o600);
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(`${file}.new`, file);
  syncFolder(dirname(file));
}

/** Without this, a power failure could bring the old entry back. Windows cannot open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
