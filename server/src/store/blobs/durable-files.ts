/** Files that stay: on disk and not only on their way, and in the hands of whom the data folder belongs to. */
import { chmodSync, chownSync, closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Waits until a file's bytes, or a folder's names, are on disk. */
export function fsyncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes an empty file where there is none, readable by its owner alone. SQLite gives its logs the owner and mode of their file. */
export function ensureFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  chownToFolderOwner(path);
}

/** What root makes in a folder must not shut out the server, which runs as the owner of the folder. */
export function chownToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}
