/** The writer thread of the embedded database: all changes that are waiting when a commit begins share that commit. */
import { parentPort, workerData } from 'node:worker_threads';
import type SqliteDatabase from 'better-sqlite3';
import { runChange, refuseGone } from './registry.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { openChangeMark, type ChangeMark } from './file-checks/change-mark.ts';
import { openConnection, toKysely } from './sqlite.ts';
import type { ChangeTx } from './transaction.ts';
import type { CommitMessage, WriteRequest, WriteReply, WriterData } from './write-messages.ts';

/** The most changes in one commit, so that the first does not wait indefinitely. */
const batchSize = 512;

interface WriterState extends Pick<ChangeTx, 'db' | 'secrets'> {
  database: SqliteDatabase.Database;
  statements: ReturnType<typeof prepareStatements>;
  mark: ChangeMark;
}

/** The statements of every commit, prepared once. */
const prepareStatements = (database: SqliteDatabase.Database) => ({
  begin: database.prepare('begin immediate'),
  commit: database.prepare('commit'),
  rollback: database.prepare('rollback'),
  savepoint: database.prepare('savepoint change'),
  undo: database.prepare('rollback to change'),
  release: database.prepare('release change'),
});

function startWriting({ file, secretKeys }: WriterData): void {
  const database = openConnection(file);
  const [statements, mark] = [prepareStatements(database), openChangeMark(database, file)];
  const secrets = createSecretBox(secretKeys);
  secrets.agree([]); // no other server uses this database
  const writer: WriterState = { database, db: toKysely(database), secrets, statements, mark };
  const queue: WriteRequest[] = [];
  let writing = false;
  let closing = false;

  const write = async (): Promise<void> => {
    while (queue.length > 0) await commit(writer, queue.splice(0, batchSize));
    writing = false;
    if (closing) {
      await mark.close();
      database.close();
      parentPort!.close();
    }
  };

  parentPort!.on('message', (message: WriteRequest[] | 'close') => {
    if (message === 'close') closing = true;
    else queue.push(...message);
    if (!writing) setImmediate(() => void write());
    writing = true;
  });
}

async function commit(writer: WriterState, batch: WriteRequest[]): Promise<void> {
  const { database, statements, mark } = writer;
  const started = performance.now();
  let answers: WriteReply[] = [];
  try {
    statements.begin.run();
    for (const request of batch) answers.push(await runInSavepoint(writer, request));
    mark.advance();
    statements.commit.run();
    mark.save();
  } catch (error) {
    if (database.inTransaction) statements.rollback.run();
    answers = batch.map(({ number }) => ({
      number,
      error: `The change could not be stored: ${String(error)}`,
      code: codeOf(error),
    }));
  }
  const message: CommitMessage = { answers, seconds: (performance.now() - started) / 1_000 };
  parentPort!.postMessage(message);
}

/** Runs one change in its own savepoint: if it fails, the others of the commit are not affected. */
async function runInSavepoint(
  { database, db, secrets, statements }: WriterState,
  { number, job }: WriteRequest,
): Promise<WriteReply> {
  statements.savepoint.run();
  try {
    const outcome = await runChange({ db, secrets }, job, () => void statements.undo.run());
    statements.release.run();
    return { number, outcome };
  } catch (error) {
    if (!database.inTransaction) throw error;
    statements.undo.run();
    const outcome = isForeignKeyViolation(error) ? await refuseGone(db, job) : undefined;
    statements.release.run();
    if (outcome !== undefined) return { number, outcome };
    const message = error instanceof Error ? error.message : String(error);
    return { number, error: `${job.name} failed: ${message}`, code: codeOf(error) };
  }
}

/** A row that the change refers to was removed before the change ran. */
const isForeignKeyViolation = (error: unknown): boolean => codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY';

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

if (parentPort) startWriting(workerData as WriterData);
