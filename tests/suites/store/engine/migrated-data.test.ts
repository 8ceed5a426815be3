/** What migrations do with the data of earlier versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { migrate } from '@drawbridge/server/store/engine/migrate';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
import { postgresSchemaDialect } from '@drawbridge/server/store/engine/postgres-migration';
import { sqliteSchemaDialect, toKysely } from '@drawbridge/server/store/engine/sqlite';
import { skipWithout } from '../../../kit/requirements.ts';
import { createStorePlace } from '../test-store.ts';

test('the operator’s URLs of invitations whose secret was shown no longer open without an account', async () => {
  const database = new SqliteDatabase(':memory:');
  const used = (): unknown => database.prepare('select connect_used from invitation').pluck().all();
  await migrate(toKysely(database), sqliteSchemaDialect, 7);
  database.exec(`insert into account (account_id, create_time) values (1, 0);
    insert into invitation (account_id, status, create_time, code, connect_token, client_name, client_os, client_preview,
      operator_present, ever_joined) values (1, 0, 0, '123456789', 'shown', '', '', '', 0, 0)`);
  const before = used();

  await migrate(toKysely(database), sqliteSchemaDialect);

  assert.deepEqual([before, used()], [[0], [1]]);
  database.close();
});

const earlierSettings = [
  `insert into account (account_id, create_time, onetime_url) values (1, 0, 'forbid'), (2, 0, 'allow')`,
  `insert into agent_group (id, account_id, name, name_folded, position, confirm, onetime_url) values
    (1, 1, 'a', 'a', 0, 'never', 'inherit'), (2, 1, 'b', 'b', 1, 'ask', 'inherit'),
    (3, 1, 'c', 'c', 2, 'never', 'allow'), (4, 1, 'd', 'd', 3, 'ask', 'forbid')`,
];
const policiesAfter = {
  account: ['{"onetime_url":"forbid"}', '{}'],
  agent_group: [
    '{}',
    '{"confirm":"ask"}',
    '{"onetime_url":"allow"}',
    '{"confirm":"ask","onetime_url":"forbid"}',
  ],
};

test('on SQLite, what groups and accounts decided about consent and one-time links is in their policies', async () => {
  const database = new SqliteDatabase(':memory:');
  await migrate(toKysely(database), sqliteSchemaDialect, 13);
  earlierSettings.forEach((statement) => database.exec(statement));

  await migrate(toKysely(database), sqliteSchemaDialect);

  const policies = (table: string, key: string): unknown =>
    database.prepare(`select policy from ${table} order by ${key}`).pluck().all();
  assert.deepEqual(policies('account', 'account_id'), policiesAfter.account);
  assert.deepEqual(policies('agent_group', 'id'), policiesAfter.agent_group);
  database.close();
});

test('on PostgreSQL, it is too', { skip: skipWithout('PostgreSQL') }, async () => {
  await using made = await createStorePlace('postgres');
  const pool = await openPool(made.place.url!, 1);
  const db = accountConnections(pool)('all');
  const rows = async (text: string): Promise<unknown[]> =>
    (await sql.raw<{ policy: string }>(text).execute(db)).rows.map(({ policy }) => policy);
  await migrate(db, postgresSchemaDialect, 13);
  for (const statement of earlierSettings) await sql.raw(statement).execute(db);

  await migrate(db, postgresSchemaDialect);

  assert.deepEqual(await rows('select policy from account order by account_id'), policiesAfter.account);
  assert.deepEqual(await rows('select policy from agent_group order by id'), policiesAfter.agent_group);
  await pool.end();
});
