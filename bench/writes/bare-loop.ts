/**
 * The limit for durable writes: a process that repeats the statements of one change on SQLite, with the same settings and
 * the same number of changes per commit, and does nothing else. It reports how many it committed.
 */
import { randomBytes, randomInt } from 'node:crypto';
import type SqliteDatabase from 'better-sqlite3';
import { databaseFile, openConnection, toKysely } from '@drawbridge/server/store/engine/sqlite';
import { runChange } from '@drawbridge/server/store/engine/registry';
import type { ChangeJob } from '@drawbridge/server/store/engine/transaction';

export interface BareLoopSetup {
  folder: string;
  accountId: number;
  memberId: number;
  groupSize: number;
  seconds: number;
}

export interface BareLoopResult {
  changes: number;
  cpuMicroseconds: number;
}

interface RecordedStatement {
  statement: SqliteDatabase.Statement;
  parameters: unknown[];
}

/** No other number in the statements has this value, so that it can be found and replaced. */
const firstSequence = 1_000_000_000;

const newCode = (): string => String(randomInt(100_000_000, 1_000_000_000));
const newToken = (): string => randomBytes(32).toString('base64url');

function createJob({ accountId, memberId }: BareLoopSetup): ChangeJob<'invitations/create'> {
  const input = { accountId, memberId, clientName: 'Ann', codes: [newCode()], connectToken: newToken() };
  const [email, address, operation] = ['ann@example.com', '127.0.0.1', 'support/create'];
  const line = { accountId, memberId, email, address, operation, input: '{"client_name":"Ann"}' };
  return { name: 'invitations/create', input, line, now: Math.floor(Date.now() / 1_000) };
}

/** Records the statements of a change while it runs for the second time: the first time compiles them. */
async function record(database: SqliteDatabase.Database, setup: BareLoopSetup) {
  const recorded: RecordedStatement[] = [];
  const db = toKysely(database, (statement) => (parameters) => {
    recorded.push({ statement, parameters });
    return run({ statement, parameters });
  });
  await runChange(db, createJob(setup), () => {});
  database.prepare('update account set audit_seq = ?').run(firstSequence - 1);
  const job = createJob(setup);
  await runChange(db, job, () => {});
  return { recorded, job };
}

const run = ({ statement, parameters }: RecordedStatement): unknown[] =>
  statement.reader ? statement.all(parameters) : (statement.run(parameters), []);

/** The statements, with values in place of those that must be unique. */
function createRepeat({ recorded, job }: Awaited<ReturnType<typeof record>>): () => void {
  let sequence = firstSequence;
  const fresh = new Map<unknown, () => unknown>([
    [job.input.codes[0], newCode],
    [job.input.connectToken, newToken],
    [firstSequence, () => (sequence += 1)],
  ]);
  return () => {
    for (const { statement, parameters } of recorded)
      run({ statement, parameters: parameters.map((value) => fresh.get(value)?.() ?? value) });
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

process.once('message', (setup: BareLoopSetup) => {
  void repeat(setup).then((result) => process.send?.(result));
});
