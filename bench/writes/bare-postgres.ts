/**
 * The limit for durable writes on PostgreSQL: a process that repeats the statements of one change, on as many
 * connections as the server uses, and does nothing else. It reports how many it committed.
 */
import type pg from 'pg';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
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

/** The default of the server. */
const connections = 10;

type Query = pg.QueryConfig & { values: unknown[] };

/** Records the statements of a change while it runs in a transaction. */
async function record(pool: pg.Pool, setup: BareLoopSetup) {
  const client = await pool.connect();
  const recorded: Query[] = [];
  const query = (given: Query | string, values?: unknown[]) => {
    if (typeof given === 'object') recorded.push(given);
    return client.query(given, values);
  };
  const { connection } = client;
  const recording = { connect: async () => ({ query, connection, release: () => {} }) };
  const db = accountConnections(recording as unknown as pg.Pool)(setup.accountId);
  await db
    .updateTable('account')
    .set({ audit_seq: firstSequence - 1 })
    .execute();
  recorded.length = 0;
  const job = createJob(setup);
  const secrets = createSecretBox([]);
  await db.transaction().execute((tx) => runChange({ db: tx, secrets }, job, () => {}));
  client.release();
  return { recorded, job };
}

async function repeat(setup: BareLoopSetup): Promise<BareLoopResult> {
  const pool = await openPool(setup.url!, connections);
  const { recorded, job } = await record(pool, setup);
  const replace = createReplacer(job);
  let changes = 0;
  const until = performance.now() + setup.seconds * 1_000;
  const before = process.cpuUsage();
  const loop = async (): Promise<void> => {
    const client = await pool.connect();
    await client.query(`select set_config('drawbridge.account', $1, false)`, [String(setup.accountId)]);
    for (; performance.now() < until; changes += 1)
      for (const each of recorded) await client.query({ ...each, values: replace(each.values) });
    client.release();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const { user, system } = process.cpuUsage(before);
  await pool.end();
  return { changes, cpuMicroseconds: user + system };
}

reportChanges(repeat);
