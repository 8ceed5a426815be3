/** One server per data folder: a lock that the operating system releases when its holder dies. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { ensureFile } from '../blobs/durable-files.ts';

export interface FolderLock {
  release(): void;
}

/** Locks the folder for this process; undefined when another server holds it. */
export function lockFolder(folder: string): FolderLock | undefined {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'server.lock');
  ensureFile(file);
  const database = new SqliteDatabase(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return {
    release() {
      database.exec('rollback');
      database.close();
    },
  };
}
