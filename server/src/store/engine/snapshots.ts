/**
 * Reads of the embedded database: all reads in one turn of the event loop see the same snapshot, and results are cached
 * until a commit.
 */
import type SqliteDatabase from 'better-sqlite3';
import type { PreparedStatement } from './prepared.ts';

/** The limits of the cache of each statement: the number of results, and the rows of each result. */
const [maxCachedResults, maxCachedRows] = [1_000, 100];

export interface Snapshots {
  /** The statement in the snapshot of this turn. It does not run if its rows are cached and still valid. */
  reading(statement: SqliteDatabase.Statement): PreparedStatement;
  /** Reads after this see everything that was committed before it. */
  renew(): void;
}

/** Caches results because a snapshot costs more than a small query, while checking for commits costs less. */
export function openSnapshots(database: SqliteDatabase.Database): Snapshots {
  const [begin, commit] = [database.prepare('begin'), database.prepare('commit')];
  const version = database.prepare('pragma data_version').pluck();
  const results: Map<string, unknown[]>[] = [];
  let [isOpen, seenVersion] = [false, version.get()];

  const renew = (): void => {
    if (isOpen && database.open) commit.run();
    isOpen = false;
  };
  const open = (): void => {
    begin.run();
    isOpen = true;
    setImmediate(renew);
    const current = version.get();
    if (current !== seenVersion) for (const cached of results) cached.clear();
    seenVersion = current;
  };
  const reading = (statement: SqliteDatabase.Statement): PreparedStatement => {
    const cached = new Map<string, unknown[]>();
    results.push(cached);
    return (parameters) => {
      if (!isOpen) open();
      const key = JSON.stringify(parameters);
      const known = cached.get(key);
      if (known) return known;
      const rows = statement.all(parameters);
      if (rows.length <= maxCachedRows && cached.size < maxCachedResults) cached.set(key, rows);
      return rows;
    };
  };
  return { reading, renew };
}
