/** The embedded database: reads on this thread, changes in a worker thread that groups them into shared commits. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Database, DatabaseOptions } from './database.ts';
import { ensureFile, fsyncPath } from '../blobs/durable-files.ts';
import { findLostChanges } from './file-checks/change-mark.ts';
import { findDamage } from './file-checks/quick-check.ts';
import { isCacheable } from './statement-cache.ts';
import { contract, expand } from './migrate.ts';
import { createSecretBox, type SecretBox } from '../secrets/secret-box.ts';
import { countSecrets, sealStoredSecrets } from '../secrets/stored-secrets.ts';
import type { SchemaDialect } from './migration.ts';
import { runSynchronously, type PreparedStatement } from './prepared.ts';
import type { Tables } from './schema.ts';
import { openSnapshots } from './snapshots.ts';
import { startSteadyClock } from './clock/steady-clock.ts';
import { startWriter } from './writer-client.ts';

export const sqliteSchemaDialect: SchemaDialect = {
  key: 'integer primary key autoincrement',
  int: 'integer',
  reference: (target, onDelete) => `integer references ${target} on delete ${onDelete}`,
  accountRowSecurity: () => [],
  serverRowSecurity: () => [],
};

export const databaseFile = (folder: string): string => join(folder, 'drawbridge.db');

/** Opens a connection with the settings that durability depends on, and verifies them. */
export function openConnection(file: string, options: { readonly?: boolean } = {}): SqliteDatabase.Database {
  const database = new SqliteDatabase(file, { ...options, timeout: 5_000 });
  if (!options.readonly) database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('cache_size = -16000');
  const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) =>
    database.pragma(name, { simple: true }),
  );
  if (settings.join() !== 'wal,2,1') throw new Error(`SQLite did not take its settings: ${settings.join()}.`);
  return database;
}

const runDirectly = (statement: SqliteDatabase.Statement): PreparedStatement =>
  statement.reader
    ? (parameters) => statement.all(parameters)
    : (parameters) => (statement.run(parameters), []);

/** The query builder over a connection; statements are prepared once and cached. */
export function toKysely(
  database: SqliteDatabase.Database,
  wrap: (statement: SqliteDatabase.Statement) => PreparedStatement = runDirectly,
): Kysely<Tables> {
  const statements = new Map<string, SqliteDatabase.Statement>();
  const prepare = (text: string): SqliteDatabase.Statement => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    if (statements.size < 500 && isCacheable(text)) statements.set(text, statement);
    return statement;
  };
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } }),
  });
  runSynchronously(db, (text) => wrap(prepare(text)));
  return db;
}

/** Creates the file if needed and brings it to the newest schema. Two programs that start at once wait for each other. */
export async function prepareDatabaseFile(folder: string, isContracting = true): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [file, lockFile] = [databaseFile(folder), join(folder, 'migration.lock')];
  for (const each of [file, lockFile]) ensureFile(each);
  const database = openConnection(file);
  const lock = openConnection(lockFile);
  lock.exec('begin exclusive');
  try {
    refuseUnsound(database, file);
    const db = toKysely(database);
    await expand(db, sqliteSchemaDialect);
    if (isContracting) await contract(db, sqliteSchemaDialect);
  } finally {
    lock.exec('rollback');
    lock.close();
    database.close();
  }
}

/** A change on top of damage, or of an old copy, would make it harder to recover. */
function refuseUnsound(database: SqliteDatabase.Database, file: string): void {
  const lost = findLostChanges(database, file);
  if (lost !== undefined) throw new Error(lost);
  const damage = findDamage(database);
  if (damage !== undefined)
    throw new Error(`${file} is damaged (${damage.replaceAll(/\s+/g, ' ')}): restore a backup`);
}

/** Before the first reader and writer, so that no copy of a text that was in clear remains in the file or its log. */
async function sealFile(
  file: string,
  secrets: SecretBox,
  onRemnants: DatabaseOptions['onRemnants'],
): Promise<void> {
  if (!secrets.agree([])) return;
  const database = openConnection(file);
  try {
    const db = toKysely(database);
    database.pragma('secure_delete = ON');
    database.exec('begin immediate');
    const { clear } = await countSecrets(db, secrets);
    if (clear > 0) markRemnants(file);
    await sealStoredSecrets(db, secrets);
    database.exec('commit');
    if (existsSync(remnantsFile(file))) removeRemnants(database, file, onRemnants);
    else database.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** Exists from before secrets are sealed until nothing of them remains, so that an interrupted start is made up for by the next. */
const remnantsFile = (file: string): string => join(dirname(file), 'remnants.due');

function markRemnants(file: string): void {
  ensureFile(remnantsFile(file));
  fsyncPath(dirname(file));
}

/** Values that were changed or removed while they were in clear can still be in unused parts of the file. */
function removeRemnants(
  database: SqliteDatabase.Database,
  file: string,
  onRemnants: DatabaseOptions['onRemnants'],
): void {
  onRemnants?.('begin');
  try {
    database.exec('vacuum');
    const [{ busy } = { busy: 1 }] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    if (busy !== 0) throw new Error('another program reads the database');
    rmSync(remnantsFile(file));
  } catch (error) {
    onRemnants?.(error as Error); // most likely no space: no reason not to start
  }
}

export async function openSqlite({ folder, clock, ...options }: DatabaseOptions): Promise<Database> {
  const { secrets = createSecretBox([]), onRemnants, ...listeners } = options;
  await prepareDatabaseFile(folder);
  const file = databaseFile(folder);
  await sealFile(file, secrets, onRemnants);
  const reading = openConnection(file, { readonly: true });
  const snapshots = openSnapshots(reading);
  const reads = toKysely(reading, snapshots.reading);
  const writer = startWriter(
    { file, secretKeys: secrets.keys },
    { ...listeners, renewReads: snapshots.renew },
  );
  const steady = clock ? { now: clock, stop: () => {} } : startSteadyClock(reportJump);
  const { now } = steady;
  function reportJump(seconds: number): Promise<unknown> {
    return writer.submit({ name: 'server/clock-jump', input: { seconds }, now: now() });
  }
  return {
    isExclusive: true,
    reader: () => reads,
    secrets,
    submit: (job) => writer.submit({ ...job, now: now() }),
    now,
    async close() {
      steady.stop();
      await writer.close();
      reading.close();
    },
  };
}
