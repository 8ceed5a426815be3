/** Accounts in several databases: each account is read and changed in its own, and in no other. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDatabase } from '@drawbridge/server/store/engine/dialect';
import { createStore, openStore } from '@drawbridge/server/store/engine/open';
import { placeAccounts } from '@drawbridge/server/store/placement';
import { must } from '../../../kit/server/account.ts';
import { databases } from '../../../kit/server/database.ts';
import { openAccount } from '../fixture.ts';
import { createStorePlace, openSql, type TestStorePlace } from '../test-store.ts';

/** Creates so many accounts and returns the number of the last. */
async function fillPlace({ place }: TestStorePlace, accounts: number): Promise<number> {
  const store = await openStore(place);
  let last = 0;
  for (let count = 0; count < accounts; count++) last = (await openAccount(store)).accountId;
  await store.close();
  return last;
}

async function groupNames({ place }: TestStorePlace): Promise<unknown[]> {
  const beside = await openSql(place);
  const rows = await beside.sql('select name from agent_group order by name');
  await beside.close();
  return rows.map((row) => row['name']);
}

for (const { kind, skip } of databases)
  describe(`two databases on ${kind}`, { skip }, () => {
    test('each account is read and changed in its own database', async () => {
      await using here = await createStorePlace(kind, true);
      await using there = await createStorePlace(kind, true);
      const [one, two] = [await fillPlace(here, 1), await fillPlace(there, 2)];
      const opened = [await openDatabase(here.place), await openDatabase(there.place)] as const;
      const store = createStore(placeAccounts(opened, (accountId) => (accountId === two ? 1 : 0)));

      await must(store, 'groups/create', { accountId: one, name: 'Here' });
      await must(store, 'groups/create', { accountId: two, name: 'There' });
      const read = await Promise.all(
        [one, two].map(async (id) => (await store.groups.list(id, 'all')).map(({ name }) => name)),
      );
      await store.close();

      assert.deepEqual(read, [['Here'], ['There']]);
      assert.deepEqual([await groupNames(here), await groupNames(there)], [['Here'], ['There']]);
    });
  });
