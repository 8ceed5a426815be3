/**
 * Part of the store's suite: what devices report of themselves, how they are recognised, and when they leave.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { arrival, openAccount, unique, type StoreAccount, type StoreFixture } from '../fixture.ts';

/** Larger than any id. */
const nobody = 2 ** 52;

export function reportsSuite(fixture: () => StoreFixture): void {
  const arrive = ({ accountId }: StoreAccount, id: number, presented: string, epoch: string) =>
    must(fixture().store, 'devices/arrive', {
      accountId,
      id,
      presented,
      epoch,
      uplinkVersion: 3,
      ...arrival,
    });
  const keep = ({ accountId }: StoreAccount, id: number, epoch: string) =>
    must(fixture().store, 'devices/kept', { accountId, id, epoch });

  test('a device that connects shows what it reports, and receives its name and account', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id } = await account.agent({ name: 'Front desk' });
    const before = await account.agentOf(id);

    const received = await arrive(account, id, '', 'first');

    const device = await account.agentOf(id);
    assert.deepEqual(received, {
      name: 'Front desk',
      approved: true,
      owner: account.owner.email,
      copied: false,
      updates: false,
    });
    assert.deepEqual(
      [device?.name, device?.osUser, device?.version, device?.geo],
      ['Front desk', 'ann', '1.2', arrival.geo],
    );
    assert.deepEqual(
      [device?.rdp, device?.hibernate, device?.powerSupply, device?.installed],
      [true, true, true, true],
    );
    assert.equal(device?.revision, before!.revision + 1);
  });

  test('a device that presents its latest secret, or the one before until it stored it, is no copy', async () => {
    const account = await openAccount(fixture().store);
    const { id } = await account.agent();

    const seen = [
      await arrive(account, id, '', 'one'),
      await arrive(account, id, '', 'two'), // It was cut off before it could store the first.
    ];
    await keep(account, id, 'two');
    seen.push(await arrive(account, id, 'two', 'three'));
    seen.push(await arrive(account, id, 'two', 'four'));
    seen.push(await arrive(account, id, 'four', 'five')); // It was stored, but the confirmation was lost.

    assert.deepEqual(
      seen.map(({ copied }) => copied),
      Array(5).fill(false),
    );
  });

  test('a secret that was replaced for good is presented only by a copy, and the account learns when', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { id } = await account.agent();
    await arrive(account, id, '', 'one');
    await keep(account, id, 'one');
    await arrive(account, id, 'one', 'two');
    await keep(account, id, 'nothing it was given');
    await keep(account, id, 'two');

    const { copied } = await arrive(account, id, 'one', 'three');

    const { accountId } = account;
    const [known] = await store.deviceIdentity.machines(accountId, 'all');
    assert.equal(copied, true);
    assert.equal(known?.copiedTime, store.now());

    await must(store, 'devices/clear-copied', { accountId, id });
    assert.equal((await store.deviceIdentity.machines(accountId, 'all'))[0]?.copiedTime, null);
  });

  test('later reports of a device are stored: facts, hardware and software', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();
    const first = await account.agentOf(id);
    const programs = [{ name: 'bash', version: '5', publisher: 'GNU', install_date: '' }];
    assert.deepEqual(await store.deviceIdentity.software(accountId, id), { time: 0, programs: [] });

    await must(store, 'devices/facts', {
      accountId,
      id,
      ...arrival,
      facts: { ...arrival.facts, os_user: 'bob' },
    });
    await must(store, 'devices/hardware', { accountId, id, hardware: '{"CPU":"x"}' });
    await must(store, 'devices/software', { accountId, id, software: JSON.stringify(programs) });

    const device = await account.agentOf(id);
    assert.deepEqual([device?.osUser, device?.hardware, device?.name], ['bob', '{"CPU":"x"}', first!.name]);
    assert.equal(device?.revision, first!.revision + 2);
    assert.deepEqual(await store.deviceIdentity.software(accountId, id), { time: store.now(), programs });
    assert.deepEqual(await store.deviceIdentity.software(accountId, nobody), { time: 0, programs: [] });
  });

  test('a device that does not exist, or is another account’s, reports nothing', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId } = ours;
    const { id: alien } = await theirs.agent();
    const before = await theirs.agentOf(alien);

    for (const id of [alien, nobody]) {
      const report = { accountId, id, ...arrival };
      const arrived = await store.change('devices/arrive', {
        ...report,
        presented: '',
        epoch: 'x',
        uplinkVersion: 3,
      });
      assert.deepEqual(arrived, fault('not_found'));
      await must(store, 'devices/facts', report);
      await must(store, 'devices/kept', { accountId, id, epoch: '' });
      await must(store, 'devices/hardware', { accountId, id, hardware: '{}' });
      await must(store, 'devices/software', { accountId, id, software: '[1]' });
      for (const change of ['devices/approve', 'devices/clear-copied'] as const)
        assert.deepEqual(await store.change(change, { accountId, id }), fault('not_found'));
    }

    assert.deepEqual(await theirs.agentOf(alien), before);
    assert.equal((await store.deviceIdentity.software(theirs.accountId, alien)).time, 0);
  });

  test('machines are compared within a scope, by what they reported and when they were last seen', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const groupId = await account.group();
    const { fingerprint } = arrival;
    const [{ id: a }, { id: b }] = [await account.agent({ fingerprint, groupId }), await account.agent()];
    await must(store, 'presence/renew', { node: 'a', agents: [{ id: b }], leaseUntil: store.now() + 30 });
    const ids = async (agentIds: number[], groupIds: number[]) =>
      (await store.deviceIdentity.machines(accountId, { agentIds, groupIds })).map(({ id }) => id);

    const [first, second] = await store.deviceIdentity.machines(accountId, 'all');

    assert.deepEqual(
      [first?.id, first?.machineId, first?.serial, first?.macs, first?.leaseUntil],
      [a, fingerprint.machine_id, fingerprint.serial, fingerprint.macs, 0],
    );
    assert.deepEqual(
      [second?.id, second?.machineId, second?.macs, second?.leaseUntil, second?.copiedTime],
      [b, '', [], store.now() + 30, null],
    );
    assert.deepEqual([await ids([b], []), await ids([], [groupId]), await ids([], [])], [[b], [a], []]);
  });

  test('the path of a permanent link leads to its device, whatever the account', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id, deviceId } = await account.agent();
    const url = `desk-${unique()}`;
    const permanent = { enable: true, url, password: 'hash' };
    await must(store, 'agents/update', { accountId, by: owner.id, id, permanent });

    assert.deepEqual(await store.deviceIdentity.byPath(url), { id, accountId, deviceId });
    assert.equal(await store.deviceIdentity.byPath(`${url}x`), undefined);
  });

  test('devices whose connection ended are offline at once, except those that are on another node by now', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const [{ id: left }, { id: moved }] = [await account.agent(), await account.agent()];
    const [here, there] = [unique(), unique()];
    const renew = (node: string, ...ids: number[]) =>
      must(store, 'presence/renew', {
        node,
        agents: ids.map((id) => ({ id })),
        leaseUntil: store.now() + 30,
      });
    await renew(here, left, moved);
    await renew(there, moved);
    advance(5);

    await must(store, 'presence/end', { node: here, ids: [left, moved] });
    await must(store, 'presence/end', { node: there, ids: [] });

    const online = await store.agents.online(account.accountId, store.now());
    assert.deepEqual(
      online.map(({ id }) => id),
      [moved],
    );
    assert.equal((await account.agentOf(left))?.lastTime, store.now());
  });
}
