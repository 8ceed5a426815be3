/**
 * The limit for durable writes: a process that repeats the statements of one change on SQLite, with the same settings and
 * the same number of changes per commit, and does nothing else. It reports how many it committed.
 */
import type SqliteDatabase from 'better-sqlite3';
import { databaseFile, openConnection, toKysely } from '@drawbridge/server/store/engine/sqlite';
import { runChange } from '@drawbridge/server/store/engine/registry';
import { createSecretBox } from '@drawbridge/server/store/secrets/secret-box';
import {
  createJob,
  createReplacer,
  firstSequence,
  reportChanges,
  type BareLoopResult,
  type BareLoopSetup,
} from './repeated-change.ts';

interface RecordedStatement {
  statement: SqliteDatabase.Statement;
  parameters: unknown[];
}

/** Records the statements of a change while it runs for the second time: the first time compiles them. */
async function record(database: SqliteDatabase.Database, setup: BareLoopSetup) {
  const recorded: RecordedStatement[] = [];
  const db = toKysely(database, (statement) => (parameters) => {
    recorded.push({ statement, parameters });
    return run({ statement, parameters });
  });
  const secrets = createSecretBox([]);
  await runChange({ db, secrets }, createJob(setup), () => {});
  database.prepare('update account set audit_seq = ?').run(firstSequence - 1);
  const job = createJob(setup);
  await runChange({ db, secrets }, job, () => {});
  return { recorded, job };
}

const run = ({ statement, parameters }: RecordedStatement): unknown[] =>
  statement.reader ? statement.all(parameters) : (statement.run(parameters), []);

/** The statements, with values in place of those that must be unique. */
function createRepeat({ recorded, job }: Awaited<ReturnType<typeof record>>): () => void {
  const replace = createReplacer(job);
  return () => {
    for (const { statement, parameters } of recorded) run({ statement, parameters: replace(parameters) });
  };
}

async function repeat(setup: BareLoopSetup): Promise<BareLoopResult> {
  const database = openConnection(databaseFile(setup.folder));
  const once = createRepeat(await record(database, setup));
  const [begin, commit] = ['begin immediate', 'commit'].map((text) => database.prepare(text));
  const [save, release] = ['savepoint change', 'release change'].map((text) => database.prepare(text));
  let changes = 0;
  const before = process.cpuUsage();
  for (const until = performance.now() + setup.seconds * 1_000; performance.now() < until;) {
    begin!.run();
    for (let count = 0; count < setup.groupSize; count += 1) {
      save!.run();
      once();
      release!.run();
    }
    commit!.run();
    changes += setup.groupSize;
  }
  const { user, system } = process.cpuUsage(before);
  database.close();
  return { changes, cpuMicroseconds: user + system };
}

reportChanges(repeat);
