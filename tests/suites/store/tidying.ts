/** Part of the store's suite: what one clean-up removes, and what it leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import { must } from '../../kit/server/account.ts';
import { openAccount, type StoreFixture } from './fixture.ts';

const day = 86_400;

export function tidyingSuite(fixture: () => StoreFixture): void {
  test('counts of requests are removed after two days, those of invitations stay', async () => {
    const { store, sql, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const kinds = async (): Promise<string[]> => {
      const rows = await sql<{ kind: string }>(
        `select kind from usage where account_id = ${accountId} order by kind, period`,
      );
      return rows.map(({ kind }) => kind);
    };
    await account.invitation();
    await must(store, 'usage/request', { accountId, limit: 10 });
    advance(2 * day);
    await must(store, 'usage/request', { accountId, limit: 10 });

    await runHousekeeping(store, 7 * day);
    assert.deepEqual(await kinds(), ['invitations', 'requests', 'requests']);
    advance(3_600);
    await runHousekeeping(store, 7 * day);

    assert.deepEqual(await kinds(), ['invitations', 'requests']);
    assert.equal((await store.plan.usage(accountId, store.now() - 3_600)).requests, 1);
  });
}
