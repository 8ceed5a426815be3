/** Takes a backup while the server runs: a consistent snapshot in one file that is complete or absent. */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fault, type Fault } from '@drawbridge/contract/faults';
import {
  backupProblem,
  checkIntegrity,
  countRows,
  createBackupFile,
  raiseCounters,
  readTableShapes,
  type RowCounts,
} from './backup-file.ts';
import { copyTables, type OnCopied } from './copy-tables.ts';
import type { InspectedDatabase } from '../engine/database.ts';
import { migrations } from '../engine/migrate.ts';
import { fsyncPath } from '../blobs/durable-files.ts';

export interface BackupResult extends RowCounts {
  file: string;
  bytes: number;
  /** The number of the last migration of the data. */
  schema: number;
}

interface BackupOptions {
  /** Overwrites an existing backup. */
  force: boolean;
  onCopied?: OnCopied;
}

export async function backUp(
  database: InspectedDatabase,
  file: string,
  { force, onCopied }: BackupOptions,
): Promise<BackupResult | Fault<'invalid'>> {
  const refused = unknownSchema(database) ?? (await refusalReason(file, force));
  if (refused !== undefined) return fault('invalid', { message: refused });
  const partial = `${file}.partial`;
  try {
    const counts = await copyAll(database, partial, onCopied);
    fsyncPath(partial);
    // Checks again: the file may have been created meanwhile.
    if (!force && existsSync(file)) return fault('invalid', { message: existsAlready(file) });
    renameSync(partial, file);
    fsyncPath(dirname(file));
    return { file, ...counts, bytes: statSync(file).size, schema: database.schema };
  } finally {
    rmSync(partial, { force: true });
  }
}

/** A backup contains what its program knows: one of the newer parts would lack them. */
const unknownSchema = ({ schema }: InspectedDatabase): string | undefined =>
  schema > migrations.length
    ? `A newer Drawbridge has migrated the database to schema ${schema}: take the backup with that version.`
    : undefined;

/** Only a backup is overwritten: a typing mistake must not destroy the database itself. */
async function refusalReason(file: string, force: boolean): Promise<string | undefined> {
  if (!existsSync(dirname(file))) return `There is no folder ${dirname(file)}.`;
  if (!existsSync(file)) return undefined;
  if (!force) return existsAlready(file);
  const problem = await backupProblem(file);
  return problem && `${problem} It is not overwritten.`;
}

const existsAlready = (file: string): string => `${file} already exists; use --force to overwrite it.`;

/**
 * Panel sessions and steps of signing in are not kept: nobody can return to a session that has ended since. Nor are the
 * nodes and their keys: a restored database is another deployment, perhaps beside the first.
 */
const transientTables: ReadonlySet<string> = new Set(['panel_session', 'sign_in_step', 'bus_key', 'node']);

async function copyAll(
  database: InspectedDatabase,
  partial: string,
  onCopied: OnCopied | undefined,
): Promise<RowCounts> {
  const backup = await createBackupFile(partial, database);
  try {
    const shapes = (await readTableShapes(backup)).filter(({ name }) => !transientTables.has(name));
    await database.snapshot((db) =>
      backup.transaction().execute(async (to) => {
        await copyTables(db, to, shapes, onCopied);
        await raiseCounters(to, await database.counters(db));
      }),
    );
    await checkIntegrity(backup);
    return await countRows(backup);
  } finally {
    await backup.destroy();
  }
}
