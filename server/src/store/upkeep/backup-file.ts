/** A backup: one SQLite file with our schema and its own application id, from either database. */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { sql, type Kysely } from 'kysely';
import type { TableShape } from './copy-tables.ts';
import type { Counters } from '../engine/database.ts';
import { contract, expand, migrate, migrations, schemaVersion, type SchemaState } from '../engine/migrate.ts';
import type { Tables } from '../engine/schema.ts';
import { toKysely, sqliteSchemaDialect } from '../engine/sqlite.ts';

/** "Draw" in the header of the SQLite file: distinguishes a backup from the database of a server. */
const applicationId = 0x44_72_61_77;

/**
 * Creates an empty file of that schema, readable only by its owner. It is written without durability, because it counts
 * only once it is complete.
 */
export async function createBackupFile(
  path: string,
  { schema, pending }: Pick<SchemaState, 'schema' | 'pending'>,
): Promise<Kysely<Tables>> {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  const database = new SqliteDatabase(path);
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'foreign_keys = ON'])
    database.pragma(pragma);
  database.pragma(`application_id = ${applicationId}`);
  const db = toKysely(database);
  await expand(db, sqliteSchemaDialect, schema);
  await contract(db, sqliteSchemaDialect, async (_tx, number) => !pending.includes(number));
  return db;
}

/** Why this file cannot be restored, as a sentence; undefined when it is a backup of a supported schema. */
export async function backupProblem(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return `There is no file ${path}.`;
  let database: SqliteDatabase.Database | undefined;
  try {
    database = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
    if (database.pragma('application_id', { simple: true }) !== applicationId)
      return `${path} is not a backup made by Drawbridge.`;
    const schema = await schemaVersion(toKysely(database));
    if (schema <= migrations.length) return undefined;
    return `${path} has schema ${schema}, but this Drawbridge supports schemas only up to ${migrations.length}: use a newer Drawbridge.`;
  } catch (error) {
    return `${path} is not a backup that can be read (${(error as Error).message}).`;
  } finally {
    database?.close();
  }
}

export interface RowCounts {
  accounts: number;
  /** In all tables together. */
  rows: number;
}

/** Migrates a copy of a backup to the newest schema and turns it into a server's database. Throws when it is damaged. */
export async function prepareCopy(path: string): Promise<RowCounts> {
  const database = new SqliteDatabase(path);
  try {
    database.pragma('foreign_keys = ON');
    const db = toKysely(database);
    await checkIntegrity(db);
    await migrate(db, sqliteSchemaDialect);
    database.pragma('application_id = 0');
    database.pragma('journal_mode = WAL');
    return await countRows(db);
  } finally {
    database.close();
  }
}

/** Throws when the file is damaged. */
export async function checkIntegrity(db: Kysely<Tables>): Promise<void> {
  const { rows: damages } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db);
  if (damages[0]?.integrity_check !== 'ok')
    throw new Error(`the backup is damaged (${damages[0]?.integrity_check})`);
  const { rows: orphans } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db);
  if (orphans[0]) throw new Error(`the backup is damaged (a row of ${orphans[0].table} refers to nothing)`);
}

export async function countRows(db: Kysely<Tables>): Promise<RowCounts> {
  const counts = new Map<string, number>();
  for (const { name } of await readTableShapes(db)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    );
    counts.set(name, rows[0]!.count);
  }
  const rows = counts.values().reduce((sum, count) => sum + count, 0);
  return { accounts: counts.get('account') ?? 0, rows };
}

/** The tables of a file, each after those that it refers to. */
export async function readTableShapes(db: Kysely<Tables>): Promise<TableShape[]> {
  const { rows: tables } = await sql<{ name: string }>`select name from sqlite_schema
    where type = 'table' and name not like 'sqlite_%' and name <> 'migration' order by rowid`.execute(db);
  const { rows: references } = await sql<{ name: string; target: string }>`select s.name, f."table" as target
    from sqlite_schema s, pragma_foreign_key_list(s.name) f where s.type = 'table'`.execute(db);
  const ordered = new Set<string>();
  const visit = (name: string): void => {
    for (const each of references)
      if (each.name === name && each.target !== name && !ordered.has(each.target)) visit(each.target);
    ordered.add(name);
  };
  for (const { name } of tables) visit(name);
  return Promise.all([...ordered].map((name) => readTableShape(db, name)));
}

async function readTableShape(db: Kysely<Tables>, name: string): Promise<TableShape> {
  const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})
    order by cid`.execute(db);
  const key = rows.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  return { name, columns: rows.map((column) => column.name), key: key.map((column) => column.name) };
}

export async function readCounters(db: Kysely<Tables>): Promise<Counters> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
    db,
  );
  return new Map(rows.map(({ name, seq }) => [name, seq]));
}

/** Never lowers a counter: existing rows have already set it. */
export async function raiseCounters(db: Kysely<Tables>, counters: Counters): Promise<void> {
  for (const [name, seq] of counters) {
    await sql`insert into sqlite_sequence (name, seq) select ${name}, 0
      where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(db);
    await sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`.execute(db);
  }
}
