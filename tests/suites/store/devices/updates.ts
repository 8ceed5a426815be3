/** Part of the store's suite: the settings of updates, and what devices report about them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { defaultUpdateSettings } from '@drawbridge/server/domain/devices/updates';
import { askForUpdates } from '@drawbridge/server/jobs/ask-for-updates';
import { must } from '../../../kit/server/account.ts';
import { arrival, openAccount, unique, type StoreFixture } from '../fixture.ts';

/** Larger than any id. */
const nobody = 2 ** 52;

export function updatesSuite(fixture: () => StoreFixture): void {
  test('an account has settings of updates, of which single ones can be changed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const groupId = await account.group('Desks');

    const before = await store.updates.settings(accountId);
    await must(store, 'updates/settings', { accountId, enabled: true, groups: [groupId], windowStart: 22 });
    await must(store, 'updates/settings', { accountId, canary: 1 });

    const settings = {
      ...defaultUpdateSettings,
      enabled: true,
      groups: [groupId],
      windowStart: 22,
      canary: 1,
    };
    assert.deepEqual(before, { ...defaultUpdateSettings, paused: '' });
    assert.deepEqual(await store.updates.settings(accountId), { ...settings, paused: '' });
    const running = await store.updates.running();
    assert.deepEqual(
      running.filter((each) => each.accountId === accountId),
      [{ accountId, ...settings, paused: '' }],
    );
  });

  test('groups of other accounts are refused', async () => {
    const { store } = fixture();
    const [{ accountId }, other] = [await openAccount(store), await openAccount(store)];

    const outcome = await store.change('updates/settings', {
      accountId,
      groups: [await other.group('Theirs')],
    });

    assert.deepEqual(outcome, fault('not_found', { field: 'groups' }));
    assert.deepEqual((await store.updates.settings(accountId)).groups, []);
  });

  test('devices are asked once in a round, and not while updates are off or paused', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    const ask = async () =>
      (await must(store, 'updates/ask', { accountId, version: '2.0.0', ids: [id, nobody] })).asked;

    const off = await ask();
    await must(store, 'updates/settings', { accountId, enabled: true });
    const first = await ask();
    const tooSoon = await ask();
    advance(10);
    await must(store, 'updates/pause', { accountId, by: 'person' });
    const paused = await ask();
    await must(store, 'updates/resume', { accountId });
    const resumed = await ask();

    assert.deepEqual([off, first, tooSoon, paused, resumed], [[], [id], [], [], [id]]);
    const [device] = await store.updates.devices(accountId, store.now());
    assert.deepEqual([device?.progress, device?.target, device?.time], ['requested', '2.0.0', store.now()]);
  });

  test('a device reports how its update proceeds, and what failed or was refused is forgotten when updates resume', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [{ id }, { id: other }, { id: third }] = [
      await account.agent(),
      await account.agent(),
      await account.agent(),
    ];
    const report = (progress: 'failed' | 'refused' | 'done', device: number) =>
      must(store, 'updates/report', { accountId, id: device, progress, version: '2.0.0', message: 'why' });
    const progress = async () =>
      (await store.updates.devices(accountId, store.now())).map((each) => [each.progress, each.message]);

    await report('failed', id);
    await report('done', other);
    await report('refused', third);
    await must(store, 'updates/report', {
      accountId,
      id: nobody,
      progress: 'done',
      version: '',
      message: '',
    });
    const before = await progress();
    await must(store, 'updates/pause', { accountId, by: 'failures' });
    const { paused } = await store.updates.settings(accountId);
    await must(store, 'updates/resume', { accountId });

    assert.deepEqual(before, [
      ['failed', 'why'],
      ['done', 'why'],
      ['refused', 'why'],
    ]);
    assert.equal(paused, 'failures');
    assert.deepEqual(await progress(), [
      ['', ''],
      ['done', 'why'],
      ['', ''],
    ]);
  });

  test('a device has the update channel of its policy: the nearest of account, group and device decides', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const groupId = await account.group();
    const { id } = await account.agent({ groupId });
    const channel = async () => (await store.updates.devices(accountId, store.now(), id))[0]?.channel;

    const usual = await channel();
    await must(store, 'accounts/settings', { accountId, policy: { update_channel: 'off' } });
    const ofAccount = await channel();
    await must(store, 'groups/policy', { accountId, id: groupId, policy: { update_channel: 'stable' } });
    const ofGroup = await channel();
    await must(store, 'agents/policy', { accountId, id, policy: { update_channel: 'off' } });

    assert.deepEqual([usual, ofAccount, ofGroup, await channel()], ['stable', 'off', 'stable', 'off']);
  });

  test('updates pause by themselves when too many devices fail, and the audit log says so', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    await must(store, 'updates/settings', { accountId, enabled: true, canary: 1 });
    const round = () =>
      askForUpdates({ store, askDevice: async () => undefined, offeredVersion: async () => '2.0.0' });

    await round();
    const before = (await store.updates.settings(accountId)).paused;
    await must(store, 'updates/report', { accountId, id, progress: 'failed', version: '2.0.0', message: '' });
    await round();
    await round();

    const { rows } = await store.audit.list(accountId, {
      operation: 'server/updates-pause',
      offset: 0,
      limit: 10,
    });
    assert.deepEqual([before, (await store.updates.settings(accountId)).paused], ['', 'failures']);
    assert.deepEqual(
      rows.map(({ email, outcome, input }) => ({ email, outcome, input })),
      [{ email: 'server', outcome: 'done', input: '{"version":"2.0.0"}' }],
    );
  });

  test('a device learns when it connects whether it may update itself: not if it is pinned', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    const learns = async () =>
      (
        await must(store, 'devices/arrive', {
          accountId,
          id,
          presented: '',
          epoch: unique(),
          uplinkVersion: 4,
          ...arrival,
        })
      ).updates;

    const off = await learns();
    await must(store, 'updates/settings', { accountId, enabled: true });
    const on = await learns();
    await must(store, 'updates/pin', { accountId, id, pin: '1.0.0' });
    const held = await learns();
    const unknown = await store.change('updates/pin', { accountId, id: nobody, pin: '1.0.0' });

    assert.deepEqual([off, on, held], [false, true, false]);
    assert.deepEqual(unknown, fault('not_found'));
  });
}
