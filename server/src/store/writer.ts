/** The writing thread of the embedded database: whatever waits when a commit begins shares that commit. */
import { parentPort, workerData } from 'node:worker_threads';
import type SqliteDatabase from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { perform, performGone, type Job } from './change.ts';
import type { Tables } from './schema.ts';
import { connect, over } from './sqlite.ts';

export interface Request {
  number: number;
  job: Job;
}
export type Answer = { number: number } & ({ outcome: unknown } | { error: string });

/** The most changes one commit holds, so that the first does not wait for ever. */
const batchSize = 512;

interface Writing {
  database: SqliteDatabase.Database;
  db: Kysely<Tables>;
  steps: ReturnType<typeof stepsOf>;
}

/** What every commit is made of, prepared once. */
const stepsOf = (database: SqliteDatabase.Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  savepoint: database.prepare('savepoint change'),
  undo: database.prepare('rollback to change'),
  release: database.prepare('release change'),
});

function startWriting(database: SqliteDatabase.Database): void {
  const one: Writing = { database, db: over(database), steps: stepsOf(database) };
  const queue: Request[] = [];
  let writing = false;
  let closing = false;

  const write = async (): Promise<void> => {
    while (queue.length > 0) await commit(one, queue.splice(0, batchSize));
    writing = false;
    if (closing) {
      database.close();
      parentPort!.close();
    }
  };

  parentPort!.on('message', (message: Request[] | 'close') => {
    if (message === 'close') closing = true;
    else queue.push(...message);
    if (!writing) setImmediate(() => void write());
    writing = true;
  });
}

async function commit(one: Writing, batch: Request[]): Promise<void> {
  const { database, steps } = one;
  const started = performance.now();
  let answers: Answer[] = [];
  try {
    steps.begin.run();
    for (const request of batch) answers.push(await answer(one, request));
    steps.commit.run();
  } catch (error) {
    if (database.inTransaction) steps.rollback.run();
    answers = batch.map(({ number }) => ({
      number,
      error: `The change could not be stored: ${String(error)}`,
    }));
  }
  parentPort!.postMessage({ answers, seconds: (performance.now() - started) / 1_000 });
}

/** One change in a savepoint of its own: if it fails, the others of the commit are not touched. */
async function answer({ database, db, steps }: Writing, { number, job }: Request): Promise<Answer> {
  steps.savepoint.run();
  try {
    const outcome = await perform(db, job, () => void steps.undo.run());
    steps.release.run();
    return { number, outcome };
  } catch (error) {
    if (!database.inTransaction) throw error;
    steps.undo.run();
    const outcome = isGone(error) ? await performGone(db, job) : undefined;
    steps.release.run();
    if (outcome !== undefined) return { number, outcome };
    return { number, error: `${job.name} failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A row that a change named was removed before the change came to its turn. */
const isGone = (error: unknown): boolean =>
  (error as { code?: string }).code === 'SQLITE_CONSTRAINT_FOREIGNKEY';

if (parentPort) startWriting(connect((workerData as { file: string }).file));
