/** A program that freezes while it migrates PostgreSQL stops nobody for long, and those that wait for another one say so. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { migrateDatabase } from '@drawbridge/server/store/engine/dialect';
import { openPool } from '@drawbridge/server/store/engine/postgres';
import { migrateOnce } from '@drawbridge/server/store/engine/postgres-migration';
import { accountConnections } from '@drawbridge/server/store/engine/primary/account-connections';
import { skipWithout } from '../../../kit/requirements.ts';
import { createStorePlace, openSql } from '../test-store.ts';

/** Migrates and freezes before the first statement that fits: its connection stays open, and sends nothing more. */
async function freezeAt(url: string, pattern: RegExp) {
  const pool = await openPool(url, 1);
  const { promise: frozen, resolve } = Promise.withResolvers<void>();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [string | { text: string }, ...unknown[]]) => {
      const [statement] = given;
      if (!pattern.test(typeof statement === 'string' ? statement : statement.text)) return query(...given);
      resolve();
      return new Promise(() => {});
    }) as unknown as typeof client.query;
  });
  void migrateOnce(accountConnections(pool)('all')).catch(() => {});
  await frozen;
}

describe('on PostgreSQL', { skip: skipWithout('PostgreSQL') }, () => {
  for (const [where, pattern] of [
    ['within a transaction', /^create table account\b/],
    ['between two transactions', /^create table if not exists migration\b/],
  ] as const)
    test(`a program that freezes ${where} of a migration keeps others waiting for seconds only`, async () => {
      await using made = await createStorePlace('postgres');
      await freezeAt(made.place.url!, pattern);
      const started = performance.now();

      await migrateDatabase({ ...made.place, contracts: true });

      const waited = performance.now() - started;
      assert.ok(waited > 1_000 && waited < 60_000, `${waited} ms`);
    });

  test('a program that waits for another one to migrate says after a while where that one runs', async () => {
    await using made = await createStorePlace('postgres');
    const other = await openSql(made.place);
    await other.sql('select pg_advisory_lock(7391402)');
    const [own] = await other.sql<{ pid: number }>('select pg_backend_pid() as pid');
    const { promise: waits, resolve } = Promise.withResolvers<string>();

    const migrated = migrateDatabase({ ...made.place, contracts: true, onMigrationWait: resolve });
    const holder = await waits;
    await other.close();
    await migrated;

    assert.match(holder, new RegExp(`\\(process ${own!.pid} of PostgreSQL\\)$`));
  });
});
