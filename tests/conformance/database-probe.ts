/**
 * What a database holds of one account, read directly: shows that a refusal changed nothing and left one row.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import type { AuditRow } from '@drawbridge/server/domain/audit';
import { eventually } from '../kit/eventually.ts';
import type { TestService } from '../kit/server/service.ts';

type Row = Record<string, unknown>;
type Query = (text: string) => Promise<Row[]>;

export interface DatabaseProbe {
  /** A digest of every table that belongs to accounts, so that a difference names the table. */
  digest(accountId: number): Promise<Record<string, string>>;
  /**
   * The rows that were added to the audit log while `work` ran. Some are written after the response: this
   * waits for as many as `awaited`.
   */
  linesOf(accountId: number, work: () => Promise<unknown>, awaited?: number): Promise<AuditRow[]>;
  /** Any statement, as the database administrator could run it. */
  run: Query;
  close(): Promise<void>;
}

/**
 * What may change without a change: the log itself, counters, the last use of a key and the last contact of a
 * device.
 */
const logs = ['audit', 'usage'];
const counters = ['audit_seq', 'audit_hash', 'last_used_time', 'software_time'];

const asText = (row: Row): string =>
  JSON.stringify(Object.entries(row).filter(([column]) => !counters.includes(column)));

const digestOf = (rows: Row[]): string =>
  createHash('sha256').update(rows.map(asText).toSorted().join('\n')).digest('base64url');

export async function openDatabaseProbe(service: TestService): Promise<DatabaseProbe> {
  const { store } = service.server;
  const { run, close, tables } = await connect(service);
  const names = (await run(tables)).map(({ name }) => String(name)).filter((name) => !logs.includes(name));

  return {
    async digest(accountId) {
      const digests: Record<string, string> = {};
      for (const name of names)
        digests[name] = digestOf(await run(`select * from ${name} where account_id = ${accountId}`));
      return digests;
    },
    async linesOf(accountId, work, awaited = 0) {
      const { seq = 0 } = (await store.audit.head(accountId)) ?? {};
      await work();
      const headNow = async (): Promise<number> => (await store.audit.head(accountId))?.seq ?? 0;
      await eventually(headNow, (now) => now - seq >= awaited);
      return store.audit.chain(accountId, seq, 100_000);
    },
    run,
    close,
  };
}

interface Connection {
  run: Query;
  close(): Promise<void>;
  /** The query for all tables that carry an account. */
  tables: string;
}

const connect = (service: TestService): Promise<Connection> =>
  service.server.config.database === undefined
    ? connectSqlite(service.folder)
    : connectPostgres(service.server.config.database);

async function connectSqlite(folder: string): Promise<Connection> {
  const database = new SqliteDatabase(join(folder, 'drawbridge.db'));
  return {
    async run(text) {
      const statement = database.prepare<[], Row>(text);
      return statement.reader ? statement.all() : (statement.run(), []);
    },
    async close() {
      database.close();
    },
    tables: `select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'account_id'
      where m.type = 'table' order by m.name`,
  };
}

async function connectPostgres(url: string): Promise<Connection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`select set_config('drawbridge.account', 'all', false)`);
  return {
    run: async (text) => (await client.query<Row>(text)).rows,
    close: () => client.end(),
    tables: `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id' order by 1`,
  };
}
