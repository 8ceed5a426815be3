/** Loaded before a program (`--import`): writes down every statement its threads send to a database, and how each SQLite connection is set. */
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';

export interface RecordedStatement {
  thread: 'main' | 'worker';
  statement?: string;
  /** Of a connection when it was given its first statement. */
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

for (const way of ['prepare', 'exec'] as const) {
  const plain = SqliteDatabase.prototype[way] as (statement: string) => never;
  SqliteDatabase.prototype[way] = function (this: SqliteDatabase.Database, statement: string) {
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
