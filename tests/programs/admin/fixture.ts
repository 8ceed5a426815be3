/**
 * A fixture for the commands of the server's machine: a store on either database, and the commands in this
 * process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import { runAdmin } from '@drawbridge/server/admin/run';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { openDatabaseFor, type DatabaseKind } from '../../kit/server/database.ts';

export interface AdminCommandResult {
  exit: number;
  out: string;
  err: string;
}

export type SqlRow = Record<string, unknown>;

/** Everything that commands print with --json; each prints some of it. */
interface PrintedOutput {
  account_id: number;
  accounts: { account_id: number; email: string; create_time: number; rows: number; ok: boolean }[];
  api_key: string;
  checks: { name: string; state: string; says: string }[];
  email: string;
  expires: number | null;
  file: string;
  id: number;
  ok: boolean;
  sign_in_url: string;
  token: string;
  url: string;
}

export interface AdminFixture extends AsyncDisposable {
  folder: string;
  data: string;
  env: Record<string, string>;
  /** Runs a command in this process. */
  type(...args: string[]): Promise<AdminCommandResult>;
  /** Runs a command that must succeed, and parses its one JSON object. */
  json(...args: string[]): Promise<PrintedOutput>;
  /** Uses the store beside the commands, as a server would. */
  store<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
  /** Closes it, as a server that is stopped. */
  closeStore(): Promise<void>;
  /** Sends a statement directly to the database, past every check. */
  sql(text: string): Promise<SqlRow[]>;
}

export async function openAdminFixture(
  kind: DatabaseKind,
  env: Record<string, string> = {},
): Promise<AdminFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-admin-'));
  const data = join(folder, 'data');
  const database = await openDatabaseFor(kind);
  const settings = { DRAWBRIDGE_DATA: data, ...database.env, ...env };
  const url = settings['DRAWBRIDGE_DATABASE' as keyof typeof settings] as string | undefined;

  const type = (...args: string[]): Promise<AdminCommandResult> => runCaptured(args, settings, folder);
  let open: Store | undefined;
  const closeStore = async (): Promise<void> => {
    await open?.close();
    open = undefined;
  };

  return {
    folder,
    data,
    env: settings,
    type,
    async json(...args) {
      const { exit, out, err } = await type(...args, '--json');
      if (exit !== 0) throw new Error(`${args.join(' ')} left with ${exit}: ${err}${out}`);
      return JSON.parse(out) as PrintedOutput;
    },
    store: async (work) => work((open ??= await openStore({ url, folder: data }))),
    closeStore,
    sql: (text) =>
      url === undefined ? querySqlite(join(data, 'drawbridge.db'), text) : queryPostgres(url, text),
    async [Symbol.asyncDispose]() {
      await closeStore();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runCaptured(
  args: string[],
  env: Record<string, string>,
  folder: string,
): Promise<AdminCommandResult> {
  let [out, err] = ['', ''];
  const exit = await runAdmin(args, {
    env,
    folder,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
  });
  return { exit, out, err };
}

async function querySqlite(file: string, text: string): Promise<SqlRow[]> {
  const database = new SqliteDatabase(file);
  try {
    database.pragma('foreign_keys = OFF');
    const statement = database.prepare<[], SqlRow>(text);
    return statement.reader ? statement.all() : (statement.run(), []);
  } finally {
    database.close();
  }
}

/** As the superuser of the tests, to whom row-level security does not apply. */
async function queryPostgres(address: string, text: string): Promise<SqlRow[]> {
  const url = new URL(process.env['TEST_POSTGRES_URL']!);
  url.pathname = new URL(address).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return ((await client.query(text)) as pg.QueryResult<SqlRow>).rows;
  } finally {
    await client.end();
  }
}
