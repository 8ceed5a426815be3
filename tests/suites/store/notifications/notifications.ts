/** Part of the store's suite: notifications are stored and mailed once, and kept for a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNotifier } from '@drawbridge/server/jobs/notifications/notifier';
import {
  maxNotifications,
  notificationLifetime,
  notificationViewer,
} from '@drawbridge/server/domain/notifications/notifications';
import { must } from '../../../kit/server/account.ts';
import { startRounds, titlesOf } from '../../../kit/server/notification-rounds.ts';
import { unique, type StoreFixture } from '../fixture.ts';
import { minute, notificationFixture } from './notification-fixture.ts';

export function notificationsSuite(fixture: () => StoreFixture): void {
  const { subscribe, openSite } = notificationFixture(fixture);

  test('two processes report once, and one that starts later goes on where the other stopped', async () => {
    const { store, advance } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    const second = createNotifier(store, unique(), undefined);
    await subscribe(account, account.owner, ['offline', 'back', 'new_device'], { minutes: 1 });
    await rounds.offline(...devices);
    for (let at = 0; at < 12; at++) {
      advance(10);
      await Promise.all([rounds.notifier.run(), second.run()]);
    }
    await account.agent({ name: 'Lamp' });
    await rounds.notifier.close();

    const third = startRounds(store, advance, createNotifier(store, unique(), undefined));
    advance(10);
    await Promise.all([third.notifier.run(), second.run()]);
    for (let at = 0; at < 12; at++) {
      advance(10);
      await Promise.all([third.notifier.run(), second.run()]);
    }
    await Promise.all([third.notifier.close(), second.close()]);

    assert.deepEqual(await titlesOf(store, owner), ['Till is offline', 'New device: Lamp']);
  });

  test('when the process that evaluates dies, another one goes on and nothing is lost or told twice', async () => {
    const { store, advance } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'new_device'], { minutes: 1 });
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(80);
    await account.agent({ name: 'Lamp' });

    const survivor = startRounds(store, advance, createNotifier(store, unique(), undefined));
    await survivor.pass(3 * minute);
    await survivor.notifier.close();

    assert.deepEqual((await titlesOf(store, owner)).toSorted(), ['New device: Lamp', 'Till is offline']);
  });

  test('many devices that wait to be collected do not delay what is reported at once', async () => {
    const { store, sql } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['session_began']);
    await sql(`insert into notification_item (account_id, member_id, cause, kind, agent_id, time, due_time, open)
      with recursive items(n) as (select 1 union all select n + 1 from items where n < 21000)
      select ${account.accountId}, ${account.owner.id}, 'back ' || n, 'back', ${devices[0]!}, 0, ${store.now()}, 0 from items`);
    const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;
    const ann = await account.member();
    const whose = { memberId: ann.id, login: ann.email };
    const session = await account.session({ ...whose, agentId: devices[0]!, opening });
    await must(store, 'sessions/begin', { accountId: account.accountId, id: session });

    await rounds.notifier.run();

    assert.deepEqual(await titlesOf(store, owner), [`${ann.email} began a session with Till`]);
  });

  test('a device is reported as back however long it was away', async () => {
    const { store, advance } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds } = site;
    await subscribe(account, account.owner, ['offline', 'back']);
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(10 * minute);
    const reported = await titlesOf(store, owner);
    advance(notificationLifetime + 1);
    await must(store, 'notifications/sweep', { before: store.now() - notificationLifetime });

    await rounds.online(...devices);
    await rounds.pass(5 * minute);

    assert.deepEqual(reported, ['Till is offline']);
    assert.deepEqual(await titlesOf(store, owner), ['Till is back online']);
  });

  test('what nobody evaluated is not kept forever', async () => {
    const { store, sql, advance } = fixture();
    await using site = await openSite();
    const { account, owner } = site;
    await insertItem(owner, (await account.agent()).id);

    advance(notificationLifetime + 1);
    await must(store, 'notifications/sweep', { before: store.now() - notificationLifetime });

    const left = await sql(`select cause from notification_item where member_id = ${owner.memberId}`);
    assert.deepEqual(left, []);
  });

  test('a process that lost its claim stores nothing more', async () => {
    const { store, advance } = fixture();
    await using site = await openSite();
    await subscribe(site.account, site.account.owner, ['new_device']);
    const [one, other] = [unique(), unique()];
    const leaseUntil = store.now() + 15;
    const { round } = await must(store, 'notifications/claim', { node: one, leaseUntil });
    const refused = await must(store, 'notifications/claim', { node: other, leaseUntil });
    advance(16);

    await must(store, 'notifications/claim', { node: other, leaseUntil: store.now() + 15 });
    const late = { node: one, round: round!, leaseUntil, items: [], causeIds: [] };

    assert.equal(refused.round, null);
    assert.deepEqual(await must(store, 'notifications/record', late), { recorded: false });
    await must(store, 'notifications/release', { node: other });
  });

  test('a message is told once, even if two processes try', async () => {
    const { store } = fixture();
    await using site = await openSite();
    const { account, owner } = site;
    const { id } = await account.agent({ name: 'Till' });
    await insertItem(owner, id);
    const message = { ...owner, kind: 'new_device', causes: [`new_device ${id}`], mail: false } as const;
    const tell = () => must(store, 'notifications/tell', { messages: [message], silent: [], dropped: [] });

    const told = await Promise.all([tell(), tell()]);

    assert.equal(told.flatMap((each) => each.told).length, 1);
    assert.deepEqual(await titlesOf(store, owner), ['New device: Till']);
  });

  async function insertItem({ accountId, memberId }: { accountId: number; memberId: number }, id: number) {
    await fixture()
      .sql(`insert into notification_item (account_id, member_id, cause, kind, agent_id, time, due_time, open)
      values (${accountId}, ${memberId}, 'new_device ${id}', 'new_device', ${id}, 1, 1, 0)`);
  }

  test('a person keeps a limited number of notifications for a limited time, and reads them', async () => {
    const { store, sql, advance } = fixture();
    await using site = await openSite();
    const { account, owner } = site;
    const { id } = await account.agent({ name: 'Till' });
    const { accountId, memberId } = owner;
    for (let at = 0; at < maxNotifications + 3; at++)
      await sql(`insert into notification (account_id, member_id, kind, time, total)
        values (${accountId}, ${memberId}, 'offline', ${store.now()}, 1)`);
    await insertItem(owner, id);
    const message = { ...owner, kind: 'new_device', causes: [`new_device ${id}`], mail: false } as const;
    await must(store, 'notifications/tell', { messages: [message], silent: [], dropped: [] });
    const count = async () =>
      Number(
        (await sql<{ n: number }>(`select count(*) as n from notification where member_id = ${memberId}`))[0]!
          .n,
      );
    const viewer = notificationViewer((await store.actors.byId(accountId, memberId))!);
    const kept = await count();
    const unread = await store.notifications.unread(viewer);
    const [newest] = await store.notifications.list(viewer, { limit: 1 });

    await must(store, 'notifications/read', { ...owner, ids: [newest!.id] });
    const afterRead = await store.notifications.unread(viewer);
    await must(store, 'notifications/read', { ...owner, upTo: newest!.id });
    advance(notificationLifetime + 1);
    await must(store, 'notifications/sweep', { before: store.now() - notificationLifetime });

    assert.deepEqual([kept, unread, afterRead], [maxNotifications, 1, 0]);
    assert.equal(newest!.read, false);
    assert.equal(await count(), 0);
  });

  test('one process mails a notification; it is due again if that does not succeed', async () => {
    const { store, advance } = fixture();
    await using site = await openSite();
    const { account, owner } = site;
    const { id } = await account.agent({ name: 'Till' });
    await insertItem(owner, id);
    const message = { ...owner, kind: 'new_device', causes: [`new_device ${id}`], mail: true } as const;
    const { told } = await must(store, 'notifications/tell', {
      messages: [message],
      silent: [],
      dropped: [],
    });
    const claim = async () =>
      (await must(store, 'notifications/claim-mail', { until: store.now() + 60, limit: 999 })).mails.filter(
        (mail) => mail.memberId === owner.memberId,
      );

    const isDue = await store.notifications.hasMail(store.now());
    const claimed = await Promise.all([claim(), claim()]);
    advance(61);
    const again = await claim();
    await must(store, 'notifications/mailed', { ids: [told[0]!.id], retryTime: null });
    advance(61);

    assert.equal(isDue, true);
    assert.deepEqual(claimed.flat(), [{ ...owner, id: told[0]!.id, attempts: 1 }]);
    assert.deepEqual(again, [{ ...owner, id: told[0]!.id, attempts: 2 }]);
    assert.deepEqual(await claim(), []);
  });
}
