/** The writing thread of the embedded database: whatever waits when a commit begins shares that commit. */
import { parentPort, workerData } from 'node:worker_threads';
import type SqliteDatabase from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { perform, type Job } from './change.ts';
import type { Tables } from './schema.ts';
import { connect, over } from './sqlite.ts';

interface Request {
  number: number;
  job: Job;
}
export type Answer = { number: number } & ({ outcome: unknown } | { error: string });

/** The most changes one commit holds, so that the first does not wait for ever. */
const batchSize = 512;

function startWriting(database: SqliteDatabase.Database, db: Kysely<Tables>): void {
  const queue: Request[] = [];
  let writing = false;
  let closing = false;

  const write = async (): Promise<void> => {
    writing = true;
    while (queue.length > 0) await commit(database, db, queue.splice(0, batchSize));
    writing = false;
    if (closing) {
      database.close();
      parentPort!.close();
    }
  };

  parentPort!.on('message', (message: Request | 'close') => {
    if (message === 'close') closing = true;
    else queue.push(message);
    if (!writing) {
      writing = true;
      setImmediate(() => void write());
    }
  });
}

async function commit(
  database: SqliteDatabase.Database,
  db: Kysely<Tables>,
  batch: Request[],
): Promise<void> {
  const started = performance.now();
  let answers: Answer[] = [];
  try {
    database.exec('begin immediate');
    for (const request of batch) answers.push(await answer(database, db, request));
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    answers = batch.map(({ number }) => ({
      number,
      error: `The change could not be stored: ${String(error)}`,
    }));
  }
  parentPort!.postMessage({ answers, seconds: (performance.now() - started) / 1_000 });
}

/** One change in a savepoint of its own: if it fails, the others of the commit are not touched. */
async function answer(
  database: SqliteDatabase.Database,
  db: Kysely<Tables>,
  { number, job }: Request,
): Promise<Answer> {
  database.exec('savepoint change');
  try {
    const outcome = await perform(db, job, () => void database.exec('rollback to change'));
    database.exec('release change');
    return { number, outcome };
  } catch (error) {
    if (!database.inTransaction) throw error;
    database.exec('rollback to change');
    database.exec('release change');
    return { number, error: `${job.name} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

if (parentPort) {
  const database = connect((workerData as { file: string }).file);
  startWriting(database, over(database));
}
