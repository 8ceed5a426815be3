/** Part of the store's suite: what one clean-up removes, and what it leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHousekeeping, recover, runHousekeeping } from '@drawbridge/server/jobs/housekeeping';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from './fixture.ts';

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

  /** A session of a device that has begun, and whether it goes on. */
  const openSession = async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const opening = { origin: 'api', permissions: [], record: false, secretDigest: someDigest() } as const;
    const id = await account.session({ agentId, opening });
    await must(store, 'sessions/begin', { accountId, id });
    return { id, goesOn: async () => (await store.sessions.validity([id]))[0]?.stop === null };
  };

  test('after an outage a session is ended only once its server had time to say that it goes on', async () => {
    const { store, advance } = fixture();
    const [held, lost] = [await openSession(), await openSession()];
    let [seconds, isAway] = [0, false];
    const whileUp: Store['ping'] = () => (isAway ? Promise.reject(new Error('away')) : store.ping());
    const change: Store['change'] = (...given) => whileUp().then(() => store.change(...given));
    const round = createHousekeeping({ ...store, ping: whileUp, change }, 7 * day, () => seconds);
    const after30Seconds = async (): Promise<boolean[]> => {
      advance(30);
      seconds += 30;
      await round().catch(() => {});
      return [await held.goesOn(), await lost.goesOn()];
    };
    await after30Seconds();
    isAway = true;
    await after30Seconds();
    await after30Seconds();
    isAway = false;

    const [back, later] = [
      await after30Seconds(),
      await must(store, 'sessions/alive', { sessions: [{ id: held.id, bytes: 0 }] }).then(after30Seconds),
    ];

    assert.deepEqual(back, [true, true]);
    assert.deepEqual(later, [true, false]);
  });

  test('a server that starts ends silent sessions at once only if no others can be on its database', async () => {
    const { store, advance } = fixture();
    const { goesOn } = await openSession();
    advance(120);

    await recover(store);

    assert.equal(await goesOn(), !store.isExclusive);
  });
}
