/** SQL statements on a service's database, for what no operation or change of the store can show or do. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import type { TestService } from './service.ts';

type Row = Record<string, unknown>;

/** Runs one statement with its values inlined, and returns its rows. */
export async function runSql({ server }: TestService, statement: string): Promise<Row[]> {
  const { database, data } = server.config;
  return database === undefined
    ? onSqlite(join(data, 'drawbridge.db'), statement)
    : onPostgres(database, statement);
}

function onSqlite(file: string, text: string): Row[] {
  const connection = new SqliteDatabase(file, { timeout: 60_000 });
  try {
    const statement = connection.prepare(text);
    if (statement.reader) return statement.all() as Row[];
    statement.run();
    return [];
  } finally {
    connection.close();
  }
}

async function onPostgres(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select set_config('drawbridge.account', 'all', false)`);
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
