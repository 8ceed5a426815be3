/**
 * Which statements stay prepared: those that recur. Lists of ids of different lengths do not evict others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
import type { Tables } from '@drawbridge/server/store/engine/schema';
import {
  openConnection,
  databaseFile,
  toKysely,
  prepareDatabaseFile,
} from '@drawbridge/server/store/engine/sqlite';
import { databases } from '../../../kit/server/database.ts';
import { createStorePlace } from '../test-store.ts';

/** More than are kept. */
const many = 600;

const byIds = (db: Kysely<Tables>, ids: number[]) =>
  db.selectFrom('agent').select('id').where('id', 'in', ids).execute();
const byOther = (db: Kysely<Tables>) =>
  db
    .selectFrom('agent')
    .select('id')
    .where('id', 'in', db.selectFrom('agent').select('id').where('device_id', '=', 5))
    .execute();
const byName = (db: Kysely<Tables>) =>
  db.selectFrom('agent').select('id').where('name', '=', 'desk').execute();
const byManyNames = (db: Kysely<Tables>) =>
  db
    .selectFrom('agent')
    .select('id')
    .where((eb) => eb.or(Array.from({ length: 200 }, () => eb('name', '=', 'desk'))))
    .execute();

async function askForLists(db: Kysely<Tables>): Promise<void> {
  for (let length = 1; length <= many; length += 1)
    await byIds(
      db,
      Array.from({ length }, (_, id) => id),
    );
}

test('on SQLite lists of ids do not keep later statements from being cached', async () => {
  await using made = await createStorePlace('sqlite');
  await prepareDatabaseFile(made.place.folder);
  const database = openConnection(databaseFile(made.place.folder));
  const asked: string[] = [];
  const counting = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (text: string) => (asked.push(text), target.prepare(text));
      return Reflect.get(target, name, target) as unknown;
    },
  });
  const db = toKysely(counting);

  await askForLists(db);
  const timesPrepared = async (work: (db: Kysely<Tables>) => Promise<unknown>): Promise<number> => {
    asked.length = 0;
    for (const _time of [1, 2, 3]) await work(db);
    return asked.length;
  };

  assert.equal(await timesPrepared(byName), 1);
  assert.equal(await timesPrepared(byOther), 1);
  assert.equal(await timesPrepared((one) => byIds(one, [1, 2])), 3);
  assert.equal(await timesPrepared(byManyNames), 3);
  database.close();
});

const { skip } = databases.find(({ kind }) => kind === 'postgres')!;
test('on PostgreSQL lists of ids do not keep later statements from being cached', { skip }, async () => {
  await using made = await createStorePlace('postgres');
  const pool = await openPool(made.place.url!, 1);
  await pool.query('create table agent (id bigint, name text, device_id bigint)');
  const db = accountConnections(pool)('all');

  await askForLists(db);
  for (const work of [byName, byOther, byManyNames]) await work(db);
  const { rows } = await pool.query<{ statement: string }>('select statement from pg_prepared_statements');
  await pool.end();

  assert.deepEqual(rows.map(({ statement }) => statement).toSorted(), [
    'select "id" from "agent" where "id" in (select "id" from "agent" where "device_id" = $1)',
    'select "id" from "agent" where "name" = $1',
    "select set_config('drawbridge.account', $1, false)",
  ]);
});
