/** Maintenance of the embedded database: inspects it without changes, and replaces it as a whole. */
import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import { raiseCounters, readCounters } from './backup-file.ts';
import type { Counters, Finding, InspectedDatabase } from '../engine/database.ts';
import { chownToFolderOwner, fsyncPath } from '../blobs/durable-files.ts';
import { findLostChanges } from '../engine/file-checks/change-mark.ts';
import { emptySchema, readSchema, type SchemaState } from '../engine/migrate.ts';
import type { Tables } from '../engine/schema.ts';
import { databaseFile, toKysely } from '../engine/sqlite.ts';

/** Unlike `openConnection`, accepts the file with any settings. */
const openReadOnly = (file: string): SqliteDatabase.Database =>
  new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: 5_000 });

export async function inspectSqlite(folder: string): Promise<InspectedDatabase | undefined> {
  const file = databaseFile(folder);
  if (!existsSync(file)) return undefined;
  const database = openReadOnly(file);
  try {
    const state = await readState(toKysely(database));
    return {
      ...state,
      snapshot: (read) => snapshot(file, read),
      counters: readCounters,
      examine: async () => examine(database, file),
      close: async () => void database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function readState(db: Kysely<Tables>): Promise<SchemaState> {
  const { rows } = await sql`select 1 from sqlite_schema where name = 'migration'`.execute(db);
  return rows.length === 0 ? emptySchema : readSchema(db);
}

async function snapshot<Result>(
  file: string,
  read: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const reading = openReadOnly(file);
  reading.exec('begin');
  try {
    return await read(toKysely(reading));
  } finally {
    reading.exec('rollback');
    reading.close();
  }
}

function examine(database: SqliteDatabase.Database, file: string): Finding[] {
  const lost = findLostChanges(database, file);
  const broken = database.pragma('quick_check(1)', { simple: true });
  const mode = database.pragma('journal_mode', { simple: true });
  return [
    broken === 'ok'
      ? { name: 'database file', state: 'ok', says: 'SQLite finds it undamaged.' }
      : {
          name: 'database file',
          state: 'problem',
          says: `It is damaged (${String(broken)}): stop the server and restore a backup.`,
        },
    lost === undefined
      ? { name: 'stored changes', state: 'ok', says: 'None is known to be missing.' }
      : { name: 'stored changes', state: 'problem', says: `Some are lost: ${lost}.` },
    mode === 'wal'
      ? { name: 'write-ahead log', state: 'ok', says: 'It is on.' }
      : {
          name: 'write-ahead log',
          state: 'warning',
          says: `The journal mode is ${String(mode)}: start the server once to turn on the write-ahead log.`,
        },
  ];
}

/** Prepares the new file beside the old one; one rename makes it the database. */
export async function fillSqlite(folder: string, copy: string, replace: boolean): Promise<boolean> {
  const file = databaseFile(folder);
  if (existsSync(file)) {
    const before = await readOldCounters(file, replace);
    if (before === 'accounts') return false;
    await carryOverCounters(copy, before);
  }
  chmodSync(copy, 0o600);
  chownToFolderOwner(copy);
  fsyncPath(copy);
  for (const log of ['-wal', '-shm', '-journal', '-mark']) rmSync(`${file}${log}`, { force: true });
  renameSync(copy, file);
  fsyncPath(folder);
  return true;
}

/**
 * Reads the ids that the old file assigned, which must stay used. Leaves it without a log that the new file could pick
 * up.
 */
async function readOldCounters(file: string, replace: boolean): Promise<Counters | 'accounts'> {
  const old = new SqliteDatabase(file, { timeout: 5_000 });
  try {
    const db = toKysely(old);
    if ((await readState(db)).schema === 0) return new Map();
    const { rows } = await sql`select 1 from account limit 1`.execute(db);
    if (rows.length > 0 && !replace) return 'accounts';
    const counters = await readCounters(db);
    old.pragma('journal_mode = DELETE');
    return counters;
  } catch (error) {
    if (replace && isDamage(error)) return new Map();
    if ((error as { code?: string }).code === 'SQLITE_BUSY')
      throw new Error('another program has the database open', { cause: error });
    throw error;
  } finally {
    old.close();
  }
}

const isDamage = (error: unknown): boolean =>
  /^SQLITE_(NOTADB|CORRUPT)/.test((error as { code?: string }).code ?? '');

async function carryOverCounters(copy: string, counters: Counters): Promise<void> {
  const database = new SqliteDatabase(copy);
  try {
    await raiseCounters(toKysely(database), counters);
  } finally {
    database.close();
  }
}
