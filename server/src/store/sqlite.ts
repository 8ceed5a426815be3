/** The embedded database: reads on this thread, changes in a worker thread that groups them into shared commits. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import type { Job } from './change.ts';
import type { Database, Place } from './dialect.ts';
import { migrate, type Words } from './migrate.ts';
import type { Tables } from './schema.ts';
import type { Answer } from './writer.ts';

export const sqliteWords: Words = {
  key: 'integer primary key autoincrement',
  int: 'integer',
  reference: (target, onDelete) => `integer references ${target} on delete ${onDelete}`,
  wall: () => [],
};

export const databaseFile = (folder: string): string => join(folder, 'drawbridge.db');

/** Opens a connection with the settings that durability rests on, and checks that they hold. */
export function connect(file: string, options: { readonly?: boolean } = {}): SqliteDatabase.Database {
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

/** The query builder over a connection; statements are prepared once and kept. */
export function over(database: SqliteDatabase.Database): Kysely<Tables> {
  const statements = new Map<string, SqliteDatabase.Statement>();
  const prepare = (text: string): SqliteDatabase.Statement => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    if (text.length < 4_000 && statements.size < 500) statements.set(text, statement);
    return statement;
  };
  return new Kysely({
    dialect: new SqliteDialect({ database: { prepare, close: () => database.close() } as never }),
  });
}

/** Creates the file if need be and brings it to the newest schema. Two programs that start at once wait for each other. */
export async function prepareFile(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = connect(databaseFile(folder));
  chmodSync(databaseFile(folder), 0o600);
  const lock = connect(join(folder, 'migration.lock'));
  lock.exec('begin exclusive');
  try {
    await migrate(over(database), sqliteWords);
  } finally {
    lock.exec('rollback');
    lock.close();
    database.close();
  }
}

export async function openSqlite({ folder, onCommit, clock }: Place): Promise<Database> {
  await prepareFile(folder);
  const file = databaseFile(folder);
  const reads = over(connect(file, { readonly: true }));
  const writer = startWriter(file, onCommit);
  const now = clock ?? (() => Math.floor(Date.now() / 1_000));
  return {
    alone: true,
    reader: () => reads,
    submit: (job) => writer.submit({ ...job, now: now() } as Job),
    now,
    async snapshot(read) {
      const own = connect(file, { readonly: true });
      const db = over(own);
      own.exec('begin');
      try {
        return await read(db);
      } finally {
        own.exec('rollback');
        own.close();
      }
    },
    async close() {
      await writer.close();
      await reads.destroy();
    },
  };
}

interface Waiting {
  resolve(outcome: unknown): void;
  reject(error: Error): void;
}

/** The worker thread that owns the writing connection, and the promises of those who wait for it. */
function startWriter(file: string, onCommit: Place['onCommit']) {
  const beside = import.meta.url.endsWith('.ts') ? './writer.ts' : './writer.js';
  const worker = new Worker(new URL(beside, import.meta.url), { workerData: { file } });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let broken: Error | undefined;
  worker.on('message', ({ answers, seconds }: { answers: Answer[]; seconds: number }) => {
    onCommit?.(answers.length, seconds);
    for (const answer of answers) settle(waiting, answer);
  });
  const fail = (error: Error): void => {
    broken = error;
    for (const each of waiting.values()) each.reject(error);
    waiting.clear();
  };
  worker.on('error', fail);
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => (fail(new Error('The store is closed.')), resolve())),
  );
  return {
    submit: (job: Job) =>
      new Promise<unknown>((resolve, reject) => {
        if (broken) return reject(broken);
        waiting.set(++last, { resolve, reject });
        worker.postMessage({ number: last, job });
      }),
    async close() {
      worker.postMessage('close');
      await ended;
    },
  };
}

function settle(waiting: Map<number, Waiting>, answer: Answer): void {
  const each = waiting.get(answer.number);
  waiting.delete(answer.number);
  if ('error' in answer) each?.reject(new Error(answer.error));
  else each?.resolve(answer.outcome);
}
