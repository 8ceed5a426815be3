/**
 * Loaded before a program (`--import`): records every statement its threads send to a database, and the
 * settings of each SQLite connection.
 */
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';

export interface RecordedStatement {
  thread: 'main' | 'worker';
  statement?: string;
  /** The settings of a connection at its first statement. */
  settings?: [file: string, journal: unknown, synchronous: unknown, foreignKeys: unknown];
}

const file = process.env['TAP_FILE'];
const note = (tapped: Omit<RecordedStatement, 'thread'>): void => {
  if (file !== undefined)
    appendFileSync(file, `${JSON.stringify({ thread: isMainThread ? 'main' : 'worker', ...tapped })}\n`);
};

const readPragmas = ['journal_mode', 'synchronous', 'foreign_keys'];
const known = new WeakSet<object>();

function noteSettings(connection: SqliteDatabase.Database): void {
  if (known.has(connection)) return;
  known.add(connection);
  const [journal, synchronous, foreignKeys] = readPragmas.map((name) =>
    connection.pragma(name, { simple: true }),
  );
  note({ settings: [basename(connection.name), journal, synchronous, foreignKeys] });
}

for (const method of ['prepare', 'exec'] as const) {
  const plain = SqliteDatabase.prototype[method] as (statement: string) => never;
  SqliteDatabase.prototype[method] = function (this: SqliteDatabase.Database, statement: string) {
    noteSettings(this);
    note({ statement });
    return plain.call(this, statement);
  };
}

const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  note({ statement: typeof first === 'string' ? first : (first as { text: string }).text });
  return query.apply(this, given);
} as never;
