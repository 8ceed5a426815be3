/** Statements on PostgreSQL whose result nobody reads: they are not waited for, and their errors are not lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, type Kysely } from 'kysely';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
import { preparedWrite } from '@drawbridge/server/store/engine/prepared';
import type { Tables } from '@drawbridge/server/store/engine/schema';
import { databases } from '../../../kit/server/database.ts';
import { eventually } from '../../../kit/eventually.ts';
import { createStorePlace } from '../test-store.ts';

const { skip } = databases.find(({ kind }) => kind === 'postgres')!;

const insertMark = preparedWrite<{ accountId: number; shard: number }>((db, parameter) =>
  db
    .insertInto('list_version')
    .values({ account_id: parameter('accountId'), shard: parameter('shard'), version: 1 }),
);

const shards = async (db: Kysely<Tables>): Promise<number[]> =>
  (await db.selectFrom('list_version').select('shard').orderBy('shard').execute()).map(({ shard }) => shard);

/** How many other connections to this database are open. */
const countOthers = async (db: Kysely<Tables>): Promise<number> => {
  const others = sql`select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  return (await others.execute(db)).rows.length;
};

/** One connection to a table of marks, of which each can be there once. */
async function openMarks() {
  const made = await createStorePlace('postgres');
  const pool = await openPool(made.place.url!, 1);
  await pool.query('create table list_version (account_id bigint, shard bigint primary key, version bigint)');
  return {
    connections: accountConnections(pool),
    url: made.place.url!,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await made[Symbol.asyncDispose]();
    },
  };
}

test('what was written in a transaction is stored with it', { skip }, async () => {
  await using marks = await openMarks();
  const db = marks.connections(1);

  await db.transaction().execute(async (tx) => {
    for (const shard of [1, 2, 3]) await insertMark(tx, { accountId: 1, shard });
  });

  assert.deepEqual(await shards(db), [1, 2, 3]);
});

test(
  'an error fails the whole transaction with its own reason, and the connection is usable again',
  { skip },
  async () => {
    await using marks = await openMarks();
    const db = marks.connections(1);

    const failing = db.transaction().execute(async (tx) => {
      for (const shard of [1, 1, 2]) await insertMark(tx, { accountId: 1, shard });
    });

    await assert.rejects(failing, { code: '23505' });
    assert.deepEqual(await shards(db), []);
  },
);

test('they are sent in one piece with the next statement that is waited for', { skip }, async () => {
  await using marks = await openMarks();
  const observers = await openPool(marks.url, 1);
  const countOpenTransactions = async (): Promise<number> => {
    const { rows } = await observers.query(
      'select 1 from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()',
    );
    return rows.length;
  };
  const counts = await marks
    .connections(1)
    .connection()
    .execute(async (db) => {
      await sql`begin`.execute(db);
      await insertMark(db, { accountId: 1, shard: 1 });
      const before = await countOpenTransactions();
      await shards(db);
      const during = await countOpenTransactions();
      await sql`commit`.execute(db);
      return [before, during];
    });
  await observers.end();

  assert.deepEqual(counts, [0, 1]);
});

test(
  'a connection whose statements were never sent is closed, and its transaction does not happen',
  { skip },
  async () => {
    await using marks = await openMarks();
    const db = marks.connections(1);
    await db.connection().execute(async (one) => {
      await sql`begin`.execute(one);
      await insertMark(one, { accountId: 1, shard: 1 });
    });

    assert.deepEqual(await shards(db), []);
    await eventually(
      () => countOthers(db),
      (count) => count === 0,
      5_000,
    );
  },
);

test('the account of a connection is set before its first statement runs', { skip }, async () => {
  await using marks = await openMarks();
  const boundTo = (account: number) =>
    marks
      .connections(account)
      .selectNoFrom((eb) => eb.fn<string>('current_setting', [eb.val('drawbridge.account')]).as('account'))
      .executeTakeFirstOrThrow();

  const answers = await Promise.all([1, 2, 1, 3].map(boundTo));

  assert.deepEqual(
    answers.map(({ account }) => account),
    ['1', '2', '1', '3'],
  );
});
