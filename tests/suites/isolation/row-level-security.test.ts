/**
 * The second barrier between accounts: PostgreSQL itself shows a connection only the rows of its own account.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import pg from 'pg';
import type { Database } from '@drawbridge/server/store/engine/database';
import { openDatabase } from '@drawbridge/server/store/engine/dialect';
import type { Tables } from '@drawbridge/server/store/engine/schema';
import { skipWithout } from '../../kit/requirements.ts';
import { openAccount, type StoreAccount } from '../store/fixture.ts';
import { accountTables as tables } from '../store/account-tables.ts';
import { createTiedRows } from '../store/cascades.ts';
import { openTestStore, type TestStore } from '../store/test-store.ts';

const names = Object.keys(tables) as (keyof typeof tables)[];
/** What only the server itself sees. */
const inner = [
  'server_identity',
  'bus_key',
  'node',
  'recording_key',
  'sign_in_step',
  'notification_round',
] as const;

describe('row-level security of PostgreSQL', { skip: skipWithout('PostgreSQL') }, () => {
  let opened: TestStore;
  let database: Database;
  let ours: StoreAccount;
  let theirs: StoreAccount;
  let db: Kysely<Tables>;
  const everywhere = async (): Promise<string> =>
    JSON.stringify(await Promise.all(names.map((table) => rowsOf(database.reader('all'), table))));
  const rowsOf = async (from: Kysely<Tables>, table: string): Promise<{ account_id: number }[]> =>
    (await sql<{ account_id: number }>`select * from ${sql.table(table)} order by 1, 2`.execute(from)).rows;

  before(async () => {
    opened = await openTestStore('postgres');
    database = await openDatabase({ ...opened.place, poolSize: 1 });
    [ours, theirs] = [await openAccount(opened.store), await openAccount(opened.store)];
    for (const account of [ours, theirs]) {
      await createTiedRows(opened, account);
      const line = { memberId: null, email: '', address: '', operation: 'test', input: '{}' };
      const { accountId } = account;
      await opened.store.change('audit/append', { accountId, outcome: 'done' }, { ...line, accountId });
    }
    db = database.reader(ours.accountId);
  });
  after(async () => {
    await database.close();
    await opened[Symbol.asyncDispose]();
  });

  test('a query without an account condition still sees no other account’s rows', async () => {
    for (const table of names) {
      const seen = await rowsOf(db, table);

      assert.ok(seen.length > 0, `${table} has rows`);
      assert.deepEqual(new Set(seen.map((row) => row.account_id)), new Set([ours.accountId]), table);
    }
  });

  test('a change or removal that names another account’s rows affects none', async () => {
    const untouched = await everywhere();

    for (const table of names) {
      const where = sql`where account_id = ${theirs.accountId}`;
      const changed = await sql`update ${sql.table(table)} set account_id = account_id ${where}`.execute(db);
      const removed = await sql`delete from ${sql.table(table)} ${where}`.execute(db);

      assert.deepEqual([changed.numAffectedRows, removed.numAffectedRows], [0n, 0n], table);
    }
    assert.equal(await everywhere(), untouched);
  });

  test('a row can neither be written into another account nor moved to it', async () => {
    const untouched = await everywhere();
    const alien = theirs.accountId;

    for (const table of names) {
      const give = sql`update ${sql.table(table)} set account_id = ${alien}`.execute(db);
      await assert.rejects(give, /violates row-level security policy/, table);
    }
    const write = sql`insert into agent_group (account_id, name, name_folded, position)
                      values (${alien}, 'x', 'x', 1)`.execute(db);
    await assert.rejects(write, /violates row-level security policy/);
    assert.equal(await everywhere(), untouched);
  });

  test('a connection without an account sees nothing and writes nothing', async () => {
    const client = new pg.Client({ connectionString: opened.place.url });
    await client.connect();
    try {
      for (const table of [...names, ...inner])
        assert.equal((await client.query(`select 1 from "${table}"`)).rowCount, 0, table);
      const write = client.query(`insert into agent_group (account_id, name, name_folded, position)
                                  values (${ours.accountId}, 'x', 'x', 1)`);
      await assert.rejects(write, /violates row-level security policy/);
    } finally {
      await client.end();
    }
  });

  test('one connection that serves two accounts in turn never mixes them up', async () => {
    const accounts = Array.from({ length: 20 }, (_, at) => (at % 3 === 0 ? theirs : ours));

    const seen = await Promise.all(
      accounts.map(async ({ accountId }) => {
        const rows = await rowsOf(database.reader(accountId), 'agent');
        return rows.every((row) => row.account_id === accountId) && rows.length === 1;
      }),
    );

    assert.deepEqual(new Set(seen), new Set([true]));
  });

  test('every table has its policy, and it applies to the owner of the tables too', async () => {
    const walled = await opened.sql(
      `select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid
       where c.relrowsecurity and c.relforcerowsecurity and c.relkind = 'r' order by 1`,
    );

    assert.deepEqual(
      walled.map((row) => row['name']),
      [...names, ...inner].toSorted(),
    );
  });

  test('the key of the server is for the server alone: no account reads, changes, removes or replaces it', async () => {
    const key = { privateKey: 'secret', publicKey: 'known' };
    assert.deepEqual(await opened.store.change('server/identity', key), key);
    const all = database.reader('all');

    assert.deepEqual(await rowsOf(db, 'server_identity'), []);
    const changed = await sql`update server_identity set public_key = 'x'`.execute(db);
    const removed = await sql`delete from server_identity`.execute(db);
    assert.deepEqual([changed.numAffectedRows, removed.numAffectedRows], [0n, 0n]);
    const write = sql`insert into server_identity (number, private_key, public_key) values (1, 'x', 'x')`;
    await assert.rejects(write.execute(db), /violates row-level security policy/);
    const [kept] = (await sql<{ public_key: string }>`select * from server_identity`.execute(all)).rows;
    assert.equal(kept?.public_key, 'known');
  });

  test('the key that decrypts an account’s recordings is read by the server alone, not even by that account', async () => {
    const [account, keys] = [ours.accountId, { privateKey: 'secret', publicKey: 'known' }];
    assert.deepEqual(await opened.store.change('recordings/keys', { account, keys }), keys);

    assert.deepEqual(await rowsOf(db, 'recording_key'), []);
    const changed = await sql`update recording_key set private_key = 'x'`.execute(db);
    const removed = await sql`delete from recording_key`.execute(db);
    assert.deepEqual([changed.numAffectedRows, removed.numAffectedRows], [0n, 0n]);
    assert.deepEqual(await opened.store.recordings.keys(account), keys);
  });
});
