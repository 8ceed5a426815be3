/** Looks for damage in the embedded database, for a limited time. */
import type SqliteDatabase from 'better-sqlite3';

/** A part of what a start may take. */
const defaultLimitMs = 100;
/** Tables with more rows would take too long. `drawbridge doctor` checks them all. */
const mostRows = 20_000;

function smallTables(database: SqliteDatabase.Database): string[] {
  const names = database
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .pluck()
    .all() as string[];
  const rowsOf = (name: string): number =>
    database
      .prepare(`select count(*) from (select 1 from "${name}" limit ${mostRows + 1})`)
      .pluck()
      .get() as number;
  return names
    .map((name) => ({ name, rows: rowsOf(name) }))
    .filter(({ rows }) => rows <= mostRows)
    .toSorted((a, b) => a.rows - b.rows)
    .map(({ name }) => name);
}

/** What SQLite says about the first damage that it finds, smallest tables first; undefined if it finds none in time. */
export function findDamage(database: SqliteDatabase.Database, limitMs = defaultLimitMs): string | undefined {
  const until = performance.now() + limitMs;
  try {
    for (const name of smallTables(database)) {
      if (performance.now() > until) return undefined;
      const says = database.pragma(`quick_check("${name}")`, { simple: true }) as string;
      if (says !== 'ok') return says;
    }
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_CORRUPT')) return (error as Error).message;
    throw error;
  }
}
