/** A store for one test on either database, with a fixed clock and access to the bare tables. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import SqliteDatabase from 'better-sqlite3';
import pg from 'pg';
import type { DatabaseOptions } from '@drawbridge/server/store/engine/database';
import { openStore } from '@drawbridge/server/store/engine/open';
import { databaseFile } from '@drawbridge/server/store/engine/sqlite';
import { createSecretBox, toSecretKey } from '@drawbridge/server/store/secrets/secret-box';
import type { Store } from '@drawbridge/server/store/store';
import { openDatabaseFor, type DatabaseKind } from '../../kit/server/database.ts';
import { copyMigratedFile, migratedDatabase } from '../../kit/server/migrated-databases.ts';

/** Runs any statement on the bare tables, whatever the account. */
export type Sql = <Row = Record<string, unknown>>(text: string) => Promise<Row[]>;

/** A location where a store can be opened, as often as a test likes. */
export interface TestStorePlace extends AsyncDisposable {
  kind: DatabaseKind;
  place: DatabaseOptions;
}

export interface TestStore extends AsyncDisposable {
  kind: DatabaseKind;
  place: DatabaseOptions;
  store: Store;
  sql: Sql;
  advance(seconds: number): void;
}

/** `isMigrated`: whether it may have the newest schema already. */
export async function createStorePlace(kind: DatabaseKind, isMigrated = false): Promise<TestStorePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-store-'));
  if (isMigrated) copyMigratedFile(folder);
  const database = await openDatabaseFor(kind, isMigrated ? migratedDatabase() : undefined);
  return {
    kind,
    place: { folder, url: database.env['DRAWBRIDGE_DATABASE'] },
    async [Symbol.asyncDispose]() {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A connection beside the store's own that sees every account. The database must exist. */
export async function openSql({
  url,
  folder,
}: DatabaseOptions): Promise<{ sql: Sql; close(): Promise<void> }> {
  if (url === undefined) {
    const file = new SqliteDatabase(databaseFile(folder));
    const sql: Sql = async (text) => {
      const statement = file.prepare(text);
      const rows = statement.reader ? statement.all() : (statement.run(), []);
      // Another program's change is visible from the next iteration of the event loop: reads within one
      // iteration see one snapshot.
      await setImmediate();
      return rows as never;
    };
    return { sql, close: async () => void file.close() };
  }
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query(`select set_config('drawbridge.account', 'all', false)`);
  return { sql: async (text) => (await client.query(text)).rows as never, close: () => client.end() };
}

/** The time at which every test begins, far from the ends of an hour and of a month. */
const firstMoment = 1_800_000_000;

export async function openTestStore(
  kind: DatabaseKind,
  options: Pick<DatabaseOptions, 'onCommit'> = {},
): Promise<TestStore> {
  const made = await createStorePlace(kind, true);
  let clock = firstMoment;
  const secrets = createSecretBox([toSecretKey(Buffer.alloc(32, 7))!]);
  if (kind === 'postgres') secrets.agree([]); // no other server is there
  const store = await openStore({ ...made.place, ...options, secrets, clock: () => clock });
  const beside = await openSql(made.place);
  return {
    kind,
    place: made.place,
    store,
    sql: beside.sql,
    advance: (seconds) => void (clock += seconds),
    async [Symbol.asyncDispose]() {
      await beside.close();
      await store.close();
      await made[Symbol.asyncDispose]();
    },
  };
}
