/** PostgreSQL: a pool of connections, each bound to one account while in use, with row-level security as a second check. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { runChange, refuseGone } from './registry.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { ChangeJob, ChangeTx } from './transaction.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { databaseClock } from './database-clock.ts';
import { isResultUnread } from './prepared.ts';
import { isCacheable } from './statement-cache.ts';
import { migrateInUse } from './postgres-migration.ts';
import { openPostgresLink } from './primary/postgres-link.ts';
import { markOutage } from '../outages.ts';
import type { Tables } from './schema.ts';

type AccountId = number | 'all';

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
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
};

/**
 * How long a request waits for a free connection, or for the database to respond. Longer than the lock timeout, because
 * changes that wait for a lock hold their connections.
 */
const connectTimeoutMs = 30_000;

export async function openPostgres(
  url: string,
  { folder, poolSize = 10, onCommit, clock, contracts = false, ...options }: Omit<DatabaseOptions, 'url'>,
): Promise<Database> {
  const link = await openPostgresLink(url, folder, (host) => openPool(host, poolSize, serverLimits));
  const connections = accountConnections(link);
  const { secrets = createSecretBox([]) } = options;
  const prepare = async () => {
    await migratePostgres(link.url(), contracts);
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

/** A migration may take long: it runs on a connection without limits. */
export async function migratePostgres(url: string, contracts: boolean): Promise<void> {
  const pool = await openPool(url, 1);
  try {
    await migrateInUse(accountConnections(pool)('all'), contracts);
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
    ...limits,
  });
  // A connection that dies is replaced; its user learns of it from the failed query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The driver gives up waiting with this message. Such a connection would answer the next query with the last one's result. */
const readTimeoutMessage = 'Query read timeout';
/** A newer server has added a column to a table that a prepared statement reads as a whole. */
const stalePlanMessage = 'cached plan must not change result type';

/** What a statement gives whose result nobody reads. */
const noResult = { command: '', rowCount: 0, rows: [] };

/**
 * Statements whose result nobody reads are sent without waiting for it: PostgreSQL runs them in order, and the next
 * statement that waits fails with the first error among them.
 */
function createConnection(client: pg.PoolClient, names: (text: string) => string | undefined) {
  const ahead: Promise<unknown>[] = [];
  let broken: Error | undefined;
  const sendAhead = (query: pg.QueryConfig): Promise<unknown> => {
    const sent = client.query(query);
    ahead.push(sent);
    return sent;
  };
  const wait = async (query: pg.QueryConfig): Promise<unknown> => {
    const outcomes = await Promise.allSettled([...ahead.splice(0), client.query(query)]);
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return (outcomes.at(-1) as PromiseFulfilledResult<unknown>).value;
  };
  return {
    bind(accountId: AccountId): void {
      const text = `select set_config('drawbridge.account', $1, false)`;
      sendAhead({ text, values: [String(accountId)] }).catch((error: Error) => (broken = error));
    },
    query(text: string, values: unknown[] = []): Promise<unknown> {
      const query = { text, values, name: names(text) } as pg.QueryConfig;
      if (text === 'begin' || isResultUnread(text)) {
        sendAhead(query).catch(() => {}); // the next statement that waits reports it
        return Promise.resolve(noResult);
      }
      return wait(query).catch((error: Error) => {
        if ([readTimeoutMessage, stalePlanMessage].includes(error.message)) broken = error;
        // Within a transaction this fails again, and the whole change is repeated.
        if (error.message === stalePlanMessage)
          return client.query(text, values).catch(() => Promise.reject(error));
        throw isConnectionError(error) ? markOutage(error) : error;
      });
    },
    release: () => client.release(broken ?? ahead.length > 0),
  };
}

/** A query builder per account over one pool; acquiring a connection binds it to the account. */
export function accountConnections(pool: Pick<pg.Pool, 'connect'>): (accountId: AccountId) => Kysely<Tables> {
  const cached = new Map<AccountId, Kysely<Tables>>();
  const boundTo = new WeakMap<object, AccountId>();
  const names = statementNames();
  const connect = async (accountId: AccountId) => {
    const client = await pool.connect().catch((error: Error) => Promise.reject(markOutage(error)));
    const connection = createConnection(client, names);
    if (boundTo.get(client) !== accountId) connection.bind(accountId);
    boundTo.set(client, accountId);
    return connection;
  };

  return (accountId) => {
    let db = cached.get(accountId);
    if (!db) {
      if (cached.size >= 1_000) cached.clear();
      const boundPool = { connect: () => connect(accountId), end: async () => {} };
      cached.set(
        accountId,
        (db = new Kysely({ dialect: new PostgresDialect({ pool: boundPool as never }) })),
      );
    }
    return db;
  };
}

/**
 * Codes of PostgreSQL that say that it cannot work at the moment: connection, resources, shutdown, a standby, and limits of
 * time. An error without a severity is not from PostgreSQL: the connection to it failed.
 */
const outageCodes = /^(?:08|53|57P|25006|25P03|55P03|57014)/;

const isConnectionError = (error: Error & { severity?: string; code?: string }): boolean =>
  error.severity === undefined || outageCodes.test(error.code ?? '');

/** The names of prepared statements on the connections. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= 500 || !text.includes('$1') || !isCacheable(text)) return undefined;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
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
