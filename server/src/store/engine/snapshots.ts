/** The reading side of the embedded database: reads of one turn of the event loop see one moment, and stay true until a commit. */
import type SqliteDatabase from 'better-sqlite3';
import type { PreparedStatement } from './prepared.ts';

/** How much is kept of each statement: results by their parameters, and no long ones. */
const [maxCachedResults, maxCachedRows] = [1_000, 100];

export interface Snapshots {
  /** The statement as it runs in the snapshot of this turn; where its rows are at hand and still true, it does not run. */
  reading(statement: SqliteDatabase.Statement): PreparedStatement;
  /** Whoever reads after this sees what was committed before it. */
  renew(): void;
}

/** Taking a snapshot costs more than a small query, and asking whether anybody committed costs less. */
export function openSnapshots(database: SqliteDatabase.Database): Snapshots {
  const [begin, commit] = [database.prepare('begin'), database.prepare('commit')];
  const version = database.prepare('pragma data_version').pluck();
  const results: Map<string, unknown[]>[] = [];
  let [taken, seen] = [false, version.get()];

  const renew = (): void => {
    if (taken && database.open) commit.run();
    taken = false;
  };
  const take = (): void => {
    begin.run();
    taken = true;
    setImmediate(renew);
    const current = version.get();
    if (current !== seen) for (const cached of results) cached.clear();
    seen = current;
  };
  const reading = (statement: SqliteDatabase.Statement): PreparedStatement => {
    const cached = new Map<string, unknown[]>();
    results.push(cached);
    return (parameters) => {
      if (!taken) take();
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
