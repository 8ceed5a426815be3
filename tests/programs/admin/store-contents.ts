/** Reads everything that a database contains, to compare two of them. */
import SqliteDatabase from 'better-sqlite3';
import type { AdminFixture, SqlRow } from './fixture.ts';

const names = (fixture: AdminFixture): Promise<SqlRow[]> =>
  'DRAWBRIDGE_DATABASE' in fixture.env
    ? fixture.sql(`select tablename as name from pg_tables where schemaname = 'public' order by 1`)
    : fixture.sql(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1`,
      );

/** All rows of all tables, with numbers as numbers, in an order that does not depend on the database. */
export async function contentsOf(fixture: AdminFixture): Promise<Record<string, SqlRow[]>> {
  const tables = await names(fixture);
  const contents: Record<string, SqlRow[]> = {};
  for (const { name } of tables)
    contents[name as string] = inOrder(await fixture.sql(`select * from ${name as string}`));
  return contents;
}

export function contentsOfFile(file: string): Record<string, SqlRow[]> {
  const database = new SqliteDatabase(file, { readonly: true });
  const tables = database
    .prepare<[], { name: string }>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by 1`,
    )
    .all();
  const rows = tables.map(({ name }) => [
    name,
    inOrder(database.prepare<[], SqlRow>(`select * from ${name}`).all()),
  ]);
  database.close();
  return Object.fromEntries(rows) as Record<string, SqlRow[]>;
}

const inOrder = (rows: SqlRow[]): SqlRow[] =>
  rows
    .map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    )
    .toSorted()
    .map((text) => JSON.parse(text) as SqlRow);
