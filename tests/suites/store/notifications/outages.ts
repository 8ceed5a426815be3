/** Part of the store's suite: devices that are reported as offline and back, alone, together and when they flap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import { titlesOf } from '../../../kit/server/notification-rounds.ts';
import { openAccount, type StoreFixture } from '../fixture.ts';
import { minute, notificationFixture } from './notification-fixture.ts';

export function outagesSuite(fixture: () => StoreFixture): void {
  const { subscribe, openSite } = notificationFixture(fixture);

  test('a device that is offline for the chosen time is reported once, and its return once', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back']);
    await rounds.pass(minute);
    await rounds.offline(...devices);

    await rounds.pass(5 * minute - 20);
    const early = await titlesOf(store, owner);
    await rounds.pass(10 * minute);
    const reported = await titlesOf(store, owner);
    await rounds.online(...devices);
    await rounds.pass(10 * minute);

    assert.deepEqual([early, reported], [[], ['Till is offline']]);
    assert.deepEqual(await titlesOf(store, owner), ['Till is offline', 'Till is back online']);
  });

  test('a device that was away for a shorter time is not reported, and neither is its return', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back']);
    await rounds.pass(minute);

    await rounds.offline(...devices);
    await rounds.pass(4 * minute);
    await rounds.online(...devices);
    await rounds.pass(10 * minute);

    assert.deepEqual(await titlesOf(store, owner), []);
  });

  test('a site that drops is one message, and its return is one', async () => {
    const { store } = fixture();
    const names = Array.from({ length: 120 }, (_, at) => `Till ${String(at).padStart(3, '0')}`);
    await using site = await openSite(...names);
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back'], { groupId: site.groupId });
    await rounds.pass(minute);

    for (const part of [devices.slice(0, 50), devices.slice(50, 100), devices.slice(100)]) {
      await rounds.offline(...part);
      await rounds.pass(20);
    }
    await rounds.pass(15 * minute);
    await rounds.online(...devices);
    await rounds.pass(10 * minute);

    const [dropped, returned, ...more] = await titlesOf(store, owner);
    assert.match(dropped!, /^120 devices are offline: Till \d+, Till \d+, Till \d+ and 117 more$/);
    assert.match(returned!, /^120 devices are back online: /);
    assert.deepEqual(more, []);
  });

  test('a person who subscribes to a device that is offline is notified when it is back', async () => {
    const { store } = fixture();
    await using site = await openSite('Till', 'Desk');
    const { account, owner, devices, rounds } = site;
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(10 * minute);
    await subscribe(account, account.owner, ['offline', 'back']);
    await subscribe(account, account.owner, ['offline', 'back'], { agentId: devices[0]! });
    await subscribe(account, account.owner, ['offline', 'back'], { agentId: devices[0]! });
    await rounds.pass(10 * minute);
    const whileOffline = await titlesOf(store, owner);

    await rounds.online(...devices);
    await rounds.pass(4 * minute);

    assert.deepEqual(whileOffline, []);
    assert.deepEqual(await titlesOf(store, owner), ['Till is back online']);
  });

  test('a person who ended their subscriptions is later not notified of what happened meanwhile', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    const kinds = ['offline', 'back', 'new_device'] as const;
    const { id } = await subscribe(account, account.owner, kinds);
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(8 * minute);
    await account.agent({ name: 'Lamp' });
    await rounds.pass(20);

    await must(store, 'notifications/unsubscribe', { ...owner, id });
    await rounds.online(...devices);
    await subscribe(account, account.owner, kinds);
    await rounds.pass(10 * minute);

    assert.deepEqual(await titlesOf(store, owner), ['Till is offline']);
  });

  test('outages are found however many different times people chose', async () => {
    const { store, sql } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    const other = await openAccount(store);
    await sql(`insert into notification_subscription (account_id, member_id, target, offline, back, new_device,
        session_began, client_waits, minutes, since_time)
      with recursive minutes(n) as (select 1 union all select n + 1 from minutes where n < 1440)
      select ${other.accountId}, ${other.owner.id}, 'test ' || n, 1, 0, 0, 0, 0, n, 0 from minutes`);
    // As after a day without a gap: every number of minutes is looked for.
    await sql(`update notification_round set evaluated = ${store.now()}, gap_from = 0, gap_to = 0`);
    await subscribe(account, account.owner, ['offline']);
    await rounds.offline(...devices);

    await rounds
      .pass(7 * minute)
      .finally(() => sql(`delete from notification_subscription where account_id = ${other.accountId}`));

    assert.deepEqual(await titlesOf(store, owner), ['Till is offline']);
  });

  test('a device that returns while its relapse is stored is reported as back', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back'], { minutes: 1 });
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(3 * minute);
    await rounds.online(...devices);
    await rounds.offline(...devices);
    const until = store.now();
    const relapsed = (await store.notifications.returned(until, until)).filter(
      ({ accountId }) => accountId === account.accountId,
    );
    await rounds.pass(20);

    await rounds.online(...devices);
    await must(store, 'notifications/settle', { until, ended: [], relapsed, items: [] });
    await rounds.pass(4 * minute);

    assert.equal(relapsed.length, 1);
    assert.deepEqual(await titlesOf(store, owner), ['Till is offline', 'Till is back online']);
  });

  test('a device that flaps is not reported again and again', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back'], { minutes: 1 });
    await rounds.pass(minute);

    for (let flap = 0; flap < 10; flap++) {
      await rounds.offline(...devices);
      await rounds.pass(3 * minute);
      await rounds.online(...devices);
      await rounds.pass(20);
    }
    const whileFast = await titlesOf(store, owner);
    for (let flap = 0; flap < 4; flap++) {
      await rounds.online(...devices);
      await rounds.pass(3 * minute);
      await rounds.offline(...devices);
      await rounds.pass(3 * minute);
    }

    assert.deepEqual(whileFast, ['Till is offline']);
    const all = await titlesOf(store, owner);
    assert.deepEqual(all.slice(0, 3), ['Till is offline', 'Till is back online', 'Till is offline']);
    assert.ok(all.length <= 4, all.join());
  });

  test('a device that stays offline after it flapped is reported when the damping ends', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back'], { minutes: 1 });
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(4 * minute);
    await rounds.online(...devices);
    await rounds.pass(4 * minute);

    await rounds.offline(...devices);
    await rounds.pass(10 * minute);
    const damped = await titlesOf(store, owner);
    await rounds.pass(30 * minute);

    assert.deepEqual(damped, ['Till is offline', 'Till is back online']);
    assert.deepEqual(await titlesOf(store, owner), [...damped, 'Till is offline']);
  });
}
