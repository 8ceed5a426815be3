/** PostgreSQL: its limits of time, its migrations, and how a change runs on one of its connections. */
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import { runChange, refuseGone } from './registry.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { ChangeJob, ChangeTx } from './transaction.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { databaseClock } from './clock/database-clock.ts';
import { migrateInUse } from './postgres-migration.ts';
import { accountConnections, type AccountId } from './primary/account-connections.ts';
import { openPostgresLink } from './primary/postgres-link.ts';
import type { Tables } from './schema.ts';

/** How long a change waits for a lock that another change holds. */
const lockTimeoutMs = 10_000;

/**
 * How long a transaction may wait for its node. PostgreSQL ends that of a node that is frozen or cut off, so that the
 * locks it holds do not stop the others.
 */
const idleInTransactionMs = 5_000;
/** How long PostgreSQL may work on one statement, and how long a node waits for a PostgreSQL that does not respond. */
const statementTimeoutMs = 30_000;
const queryTimeoutMs = 35_000;
/** After how long without traffic the operating system checks that the other side is still there. */
const keepAliveAfterMs = 10_000;

const serverLimits: pg.PoolConfig = {
  idle_in_transaction_session_timeout: idleInTransactionMs,
  statement_timeout: statementTimeoutMs,
  query_timeout: queryTimeoutMs,
};

/**
 * How long a request waits for a free connection, or for the database to respond. Longer than the lock timeout, because
 * changes that wait for a lock hold their connections.
 */
const connectTimeoutMs = 30_000;

export async function openPostgres(
  url: string,
  { folder, poolSize = 10, onCommit, clock, ...options }: Omit<DatabaseOptions, 'url'>,
): Promise<Database> {
  const link = await openPostgresLink(url, folder, (host) => openPool(host, poolSize, serverLimits));
  const connections = accountConnections(link);
  const { secrets = createSecretBox([]) } = options;
  const prepare = async () => {
    await migratePostgres(link.url(), options);
    return clock ? { now: clock, stop: () => {} } : databaseClock(connections('all'));
  };
  const timeSource = await prepare().catch(async (error: unknown) => {
    await link.close(); // an open connection would keep the program from ending
    throw error;
  });
  return {
    isExclusive: false,
    reader: connections,
    secrets,
    submit: (job) => submit({ connections, secrets, onCommit }, { ...job, now: timeSource.now() }),
    now: timeSource.now,
    async close() {
      timeSource.stop();
      await link.close();
    },
  };
}

/** The statements of a migration may take long: they run on a connection without limits for them. */
export async function migratePostgres(
  url: string,
  options: Parameters<typeof migrateInUse>[1],
): Promise<void> {
  const pool = await openPool(url, 1);
  try {
    await migrateInUse(accountConnections(pool)('all'), options);
  } finally {
    await pool.end();
  }
}

/** Loads the driver, which servers with SQLite do not need. */
export async function openPool(url: string, max: number, limits: pg.PoolConfig = {}): Promise<pg.Pool> {
  const { Pool, types } = (await import('pg')).default;
  types.setTypeParser(types.builtins.INT8, Number); // ids and unix times fit a JavaScript number
  const pool = new Pool({
    connectionString: url,
    max,
    pipeline: true,
    connectionTimeoutMillis: connectTimeoutMs,
    lock_timeout: lockTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    ...limits,
  });
  // A connection that dies is replaced; its user learns of it from the failed query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A row that a change refers to does not exist. */
const foreignKeyViolation = '23503';
/** A deadlock, a row that another change added or removed between two statements of this one, or a stale plan. */
const retryableCodes: readonly unknown[] = ['40P01', '23505', foreignKeyViolation, '0A000'];

interface SubmitDeps extends Pick<ChangeTx, 'secrets'>, Pick<DatabaseOptions, 'onCommit'> {
  connections(accountId: AccountId): Kysely<Tables>;
}

/**
 * Runs a change again when it lost a race, so that it sees what the other change did. Changes have no effects outside
 * the database.
 */
async function submit(deps: SubmitDeps, job: ChangeJob, retriesLeft = 5): Promise<unknown> {
  const { connections, secrets, onCommit } = deps;
  const started = performance.now();
  const accountId = 'accountId' in job.input ? job.input.accountId : 'all';
  try {
    const outcome = await connections(accountId)
      .connection()
      .execute((db) => transact({ db, secrets }, job));
    onCommit?.(1, (performance.now() - started) / 1_000);
    return outcome;
  } catch (error) {
    if (retriesLeft > 0 && retryableCodes.includes((error as { code?: string }).code))
      return submit(deps, job, retriesLeft - 1);
    if ((error as { code?: string }).code !== foreignKeyViolation) throw error;
    return connections(accountId)
      .transaction()
      .execute((tx) => refuseGone(tx, job));
  }
}

async function transact(tx: Pick<ChangeTx, 'db' | 'secrets'>, job: ChangeJob): Promise<unknown> {
  const { db } = tx;
  await sql`begin`.execute(db);
  try {
    const outcome = await runChange(tx, job, async () => {
      await sql`rollback`.execute(db);
      await sql`begin`.execute(db);
    });
    await sql`commit`.execute(db);
    return outcome;
  } catch (error) {
    await sql`rollback`.execute(db).catch(() => {});
    throw error;
  }
}
