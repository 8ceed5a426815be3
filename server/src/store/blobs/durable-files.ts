/** Files that are durable and belong to the owner of the data folder. */
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

/**
 * Creates an empty file if there is none, readable only by its owner. SQLite gives its logs the owner and mode of their
 * file.
 */
export function ensureFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  chownToFolderOwner(path);
}

/** Files that root creates must stay accessible to the server, which runs as the owner of the folder. */
export function chownToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}
