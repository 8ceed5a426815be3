/** Replaces the store with a backup: all of it or nothing, for both databases. */
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fault, type Fault } from '@drawbridge/contract/faults';
import { backupProblem, prepareCopy, type RowCounts } from './backup-file.ts';
import type { DatabaseOptions } from '../engine/database.ts';
import { fillDatabase } from '../engine/dialect.ts';
import { lockFolder } from '../engine/lock.ts';

/** With `replace`, existing accounts are removed. */
export async function restore(
  options: DatabaseOptions,
  file: string,
  replace: boolean,
): Promise<RowCounts | Fault<'invalid'>> {
  const problem = await backupProblem(file);
  if (problem !== undefined) return fault('invalid', { message: problem });
  const lock = lockFolder(options.folder);
  if (!lock)
    return fault('invalid', {
      message: `A server is running on the data folder ${options.folder}: stop it first.`,
    });
  const copy = join(options.folder, 'restore.partial');
  try {
    remove(copy);
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
    const counts = await prepareCopy(copy);
    if (await fillDatabase(options, copy, replace)) return counts;
    return fault('invalid', {
      message: 'The database already holds accounts; use --replace to replace them with the backup.',
    });
  } finally {
    remove(copy);
    lock.release();
  }
}

/** Also removes the logs: those of an interrupted attempt must not be used with this copy. */
function remove(copy: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${end}`, { force: true });
}
