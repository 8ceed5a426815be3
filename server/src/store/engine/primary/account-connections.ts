/** Connections to PostgreSQL, each bound to one account while in use, with row-level security as a second check. */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { markOutage } from '../../outages.ts';
import { isResultUnread } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { isCacheable } from '../statement-cache.ts';

export type AccountId = number | 'all';

/** The driver gives up waiting with this message. Such a connection would answer the next query with the last one's result. */
const readTimeoutMessage = 'Query read timeout';
/** A newer server has added a column to a table that a prepared statement reads as a whole. */
const stalePlanMessage = 'cached plan must not change result type';

/** What a statement gives whose result nobody reads. */
const noResult = { command: '', rowCount: 0, rows: [] };

/**
 * Statements whose result nobody reads are held back and sent with the next statement that waits, in one piece.
 * PostgreSQL runs them in order, and the one that waits fails with the first error among them.
 */
function createSender(client: pg.PoolClient) {
  const { stream } = client.connection;
  const ahead: Promise<unknown>[] = [];
  return {
    sendAhead(query: pg.QueryConfig): Promise<unknown> {
      if (ahead.length === 0) stream.cork();
      const sent = client.query(query);
      ahead.push(sent);
      return sent;
    },
    async wait(query: pg.QueryConfig): Promise<unknown> {
      const sent = client.query(query);
      if (ahead.length > 0) stream.uncork();
      const outcomes = await Promise.allSettled([...ahead.splice(0), sent]);
      const failed = outcomes.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
      return (outcomes.at(-1) as PromiseFulfilledResult<unknown>).value;
    },
    release(broken: Error | undefined): void {
      if (ahead.length > 0) stream.uncork(); // otherwise the driver could not say goodbye
      client.release(broken ?? ahead.length > 0);
    },
  };
}

function createConnection(client: pg.PoolClient, names: (text: string) => string | undefined) {
  const sender = createSender(client);
  let broken: Error | undefined;
  return {
    bind(accountId: AccountId): void {
      const text = `select set_config('drawbridge.account', $1, false)`;
      const query = { text, values: [String(accountId)], name: names(text) } as pg.QueryConfig;
      sender.sendAhead(query).catch((error: Error) => (broken = error));
    },
    query(text: string, values: unknown[] = []): Promise<unknown> {
      const query = { text, values, name: names(text) } as pg.QueryConfig;
      if (text === 'begin' || isResultUnread(text)) {
        sender.sendAhead(query).catch(() => {}); // the next statement that waits reports it
        return Promise.resolve(noResult);
      }
      return sender.wait(query).catch((error: Error) => {
        if ([readTimeoutMessage, stalePlanMessage].includes(error.message)) broken = error;
        // Within a transaction this fails again, and the whole change is repeated.
        if (error.message === stalePlanMessage)
          return client.query(text, values).catch(() => Promise.reject(error));
        throw isConnectionError(error) ? markOutage(error) : error;
      });
    },
    release: () => sender.release(broken),
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
