/** Part of the store's suite: what else people are notified of, and what nobody learns without the right. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import { titlesOf } from '../../../kit/server/notification-rounds.ts';
import { openAccount, type StoreFixture, type StorePerson } from '../fixture.ts';
import { minute, notificationFixture, refOf, removeFromGroup } from './notification-fixture.ts';

export function notifiedSuite(fixture: () => StoreFixture): void {
  const { subscribe, openSite } = notificationFixture(fixture);

  test('new devices, sessions of others and waiting clients are reported at once or together', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, owner, devices, rounds, groupId } = site;
    const ann = await account.member();
    const kinds = ['new_device', 'session_began', 'client_waits'] as const;
    await subscribe(account, account.owner, kinds);
    const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;
    const begin = async (person: StorePerson) => {
      const whose = { memberId: person.id, login: person.email };
      const id = await account.session({ ...whose, agentId: devices[0]!, opening });
      await must(store, 'sessions/begin', { accountId: account.accountId, id });
    };
    const { code } = await account.invitation({ clientName: 'Zoë' });

    await begin(ann);
    await begin(account.owner);
    const client = { code, key: 'k', os: '', preview: 'p', until: store.now() + 9_999, lifetime: 9_999 };
    await must(store, 'invitations/join', { ...client, os: '' });
    await must(store, 'invitations/join', { ...client, os: '' });
    await rounds.notifier.run();
    const atOnce = await titlesOf(store, owner);
    await account.agent({ name: 'Lamp', groupId });
    await account.agent({ name: 'Desk', groupId });
    await rounds.pass(2 * minute);

    assert.deepEqual(atOnce.toSorted(), [
      'Zoë is waiting for support',
      `${ann.email} began a session with Till`,
    ]);
    assert.deepEqual((await titlesOf(store, owner)).slice(2), ['2 new devices: Desk and Lamp']);
  });

  test('a client who got an operator or left before the report is not reported', async () => {
    const { store } = fixture();
    await using site = await openSite();
    const { account, owner, rounds } = site;
    await subscribe(account, account.owner, ['client_waits']);
    const { code, id } = await account.invitation();
    const client = { code, key: 'k', os: '', preview: 'p', until: store.now() + 9_999 } as const;
    await must(store, 'invitations/join', { ...client, lifetime: 9_999 });

    await must(store, 'invitations/leave', { accountId: account.accountId, id, key: 'k' });
    await rounds.pass(minute);

    assert.deepEqual(await titlesOf(store, owner), []);
  });

  test('nobody learns of a device they may not see, and a lost right silences at once what was reported too', async () => {
    const { store } = fixture();
    await using site = await openSite('Till', 'Desk');
    const { account, groupId, devices, rounds } = site;
    const [ann, bob] = [await account.member(), await account.member()];
    const role = await account.role('group', ['agent_notification']);
    await account.grant({ email: ann.email }, role, { groupId });
    const other = await openAccount(store);
    for (const [whose, person] of [
      [account, ann],
      [account, bob],
      [other, other.owner],
    ] as const)
      await subscribe(whose, person, ['offline', 'back']);
    await rounds.pass(minute);
    await rounds.offline(devices[0]!);
    await rounds.pass(10 * minute);
    const [forAnn, forBob] = [refOf(account, ann), refOf(account, bob)];
    const before = await titlesOf(store, forAnn);

    await removeFromGroup(store, account, ann, { roleId: role, groupId });
    const after = await titlesOf(store, forAnn);
    await rounds.offline(devices[1]!);
    await rounds.pass(10 * minute);
    await account.grant({ email: ann.email }, role, { groupId });

    assert.deepEqual([before, after], [['Till is offline'], []]);
    assert.deepEqual(await titlesOf(store, forAnn), ['Till is offline']);
    assert.deepEqual(await titlesOf(store, forBob), []);
    assert.deepEqual(await titlesOf(store, refOf(other, other.owner)), []);
  });

  test('a device that moves to another group is reported to those who subscribed to its group now', async () => {
    const { store } = fixture();
    await using site = await openSite('Till');
    const { account, groupId, devices, rounds } = site;
    const [ann, bob] = [await account.member(), await account.member()];
    const elsewhere = await account.group();
    const role = await account.role('group', ['agent_notification']);
    for (const [person, onGroup] of [
      [ann, groupId],
      [bob, elsewhere],
    ] as const) {
      await account.grant({ email: person.email }, role, { groupId: onGroup });
      await subscribe(account, person, ['offline', 'back'], { groupId: onGroup });
    }
    const titles = async () => [
      await titlesOf(store, refOf(account, ann)),
      await titlesOf(store, refOf(account, bob)),
    ];
    const move = (to: number) =>
      must(store, 'agents/move', {
        accountId: account.accountId,
        by: account.owner.id,
        id: devices[0]!,
        groupId: to,
      });
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(10 * minute);
    const before = await titles();

    await move(elsewhere);
    const moved = await titles();
    await rounds.online(...devices);
    await rounds.pass(5 * minute);
    await rounds.offline(...devices);
    await rounds.pass(40 * minute);

    assert.deepEqual(before, [['Till is offline'], []]);
    assert.deepEqual(moved, [[], []]);
    assert.deepEqual(await titles(), [[], ['Till is offline']]);
  });

  test('what waits is not reported to somebody who lost the right meanwhile', async () => {
    const { store } = fixture();
    await using site = await openSite('Till', 'Desk');
    const { account, groupId, devices, rounds } = site;
    const ann = await account.member();
    const [onGroup, onAgent] = [
      await account.role('group', ['agent_notification']),
      await account.role('agent', ['agent_notification']),
    ];
    await account.grant({ email: ann.email }, onGroup, { groupId });
    await account.grant({ email: ann.email }, onAgent, { agentId: devices[0]! });
    await subscribe(account, ann, ['offline']);
    await rounds.pass(minute);
    await rounds.offline(...devices);
    await rounds.pass(5 * minute + 20);

    const holder = { email: ann.email };
    await removeFromGroup(store, account, ann, { roleId: onGroup, groupId });
    await rounds.pass(5 * minute);
    const told = await titlesOf(store, refOf(account, ann));
    await account.grant(holder, onGroup, { groupId });

    assert.deepEqual(told, ['Till is offline']);
    assert.deepEqual(await titlesOf(store, refOf(account, ann)), told);
  });
}
