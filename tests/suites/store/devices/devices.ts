/** Part of the store's suite: devices, their groups and their names, and the server's own key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { random } from '@drawbridge/server/edges/random';
import { must } from '../../../kit/server/account.ts';
import { openAccount, unique, type StoreAccount, type StoreFixture } from '../fixture.ts';

/** Larger than any id. */
const nobody = 2 ** 52;
const someDeviceId = (): number => Number(random.digits(9));

export function devicesSuite(fixture: () => StoreFixture): void {
  const listOf = async ({ accountId, owner }: StoreAccount, filter: object = {}) =>
    (await fixture().store.agents.list({ accountId, memberId: owner.id }, { scope: 'all', ...filter })).map(
      (each) => each.id,
    );

  test('a device gets the first public identifier that is free on the whole server', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { deviceId: taken } = await theirs.agent();
    const free = someDeviceId();

    const { id, deviceId } = await ours.agent({ deviceIds: [taken, free] });

    assert.equal(deviceId, free);
    const viewer = { accountId: ours.accountId, memberId: ours.owner.id };
    assert.equal((await store.agents.find(viewer, { deviceId: free }))?.id, id);
    assert.equal(await store.agents.find(viewer, { deviceId: taken }), undefined);
    await assert.rejects(ours.agent({ deviceIds: [taken, free] }), /every public identifier that was tried/);
  });

  test('devices that ask for the same public identifier at the same moment get different ones', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const deviceIds = Array.from({ length: 8 }, someDeviceId);

    const made = await Promise.all(Array.from({ length: 8 }, () => account.agent({ deviceIds })));

    assert.deepEqual(new Set(made.map((each) => each.deviceId)), new Set(deviceIds));
  });

  test('a device keeps what it reported, and shows nothing else', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const groupId = await account.group('Desks');
    const geo = { ip: '192.0.2.1', country: 'DE', region: 'Berlin', city: 'Berlin' };
    const flags = { rdp: true, hibernate: true, powerSupply: true, installed: true };
    const { id } = await account.agent({ groupId, geo, osUser: 'ann', version: '1.2', ...flags });
    const { id: bare } = await account.agent();

    const [full, empty] = [await account.agentOf(id), await account.agentOf(bare)];

    assert.deepEqual([full?.groupId, full?.groupName, full?.geo], [groupId, 'Desks', geo]);
    assert.deepEqual([full?.osUser, full?.version, full?.installed], ['ann', '1.2', true]);
    assert.deepEqual([full?.rdp, full?.hibernate, full?.powerSupply], [true, true, true]);
    assert.deepEqual([full?.linkTime, full?.lastTime, full?.leaseUntil], [store.now(), store.now(), 0]);
    assert.deepEqual([empty?.groupId, empty?.groupName, empty?.osUser, empty?.rdp], [null, '', '', false]);
    assert.deepEqual([empty?.lastSession, empty?.sessionsTotal, empty?.permanentPath], [null, 0, null]);
  });

  test('devices are listed within a scope, by group, by page and by name, address or group name', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const [office, lab] = [await account.group('Büro 1'), await account.group('Lab')];
    const { id: a } = await account.agent({ name: 'Drucker_A', groupId: office, addresses: ['10.0.0.7'] });
    const { id: b } = await account.agent({ name: 'druckerXa', groupId: lab });
    const { id: c } = await account.agent({ name: 'Server', addresses: ['fd00::7'] });
    const scoped = (agentIds: number[], groupIds: number[]) =>
      listOf(account, { scope: { agentIds, groupIds } });

    assert.deepEqual(await listOf(account), [a, b, c]);
    assert.deepEqual(await scoped([c], [lab]), [b, c]);
    assert.deepEqual(await scoped([], []), []);
    assert.deepEqual(await scoped([nobody], [nobody]), []);
    assert.deepEqual(await listOf(account, { groupId: lab }), [b]);
    assert.deepEqual(await listOf(account, { search: 'DRUCKER_' }), [a]);
    assert.deepEqual(await listOf(account, { search: 'bÜRO' }), [a]);
    assert.deepEqual(await listOf(account, { search: '10.0.0' }), [a]);
    assert.deepEqual(await listOf(account, { offset: 1 }), [b, c]);
    assert.deepEqual(await listOf(account, { limit: 1, offset: 1 }), [b]);
  });

  test('summaries are returned for the requested devices, of the own account only', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const [one, two, alien] = [await ours.agent(), await ours.agent(), await theirs.agent()];
    const viewer = { accountId: ours.accountId, memberId: ours.owner.id };

    const found = await store.agents.summaries(viewer, [one.id, alien.id, nobody]);

    const { hardware: _hardware, ...summary } = (await ours.agentOf(one.id))!;
    assert.deepEqual(found, [summary]);
    assert.deepEqual(await store.agents.summaries(viewer, []), []);
    assert.equal(await store.agents.find(viewer, { id: alien.id }), undefined);
    assert.deepEqual(await listOf(ours), [one.id, two.id]);
  });

  test('every change that lists show increases their version by one, for its own account', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const ids: number[] = [];
    while (ids.length < 20) ids.push((await ours.agent()).id);
    const { accountId } = ours;
    const versions = () =>
      Promise.all([ours, theirs].map(async (each) => store.agents.listVersion(each.accountId)));
    const [before, others] = (await versions()) as [number, number];

    const renames = ids.map((id) => store.change('agents/rename', { accountId, id, name: 'renamed' }));
    await Promise.all([...renames, store.change('agents/rename', { accountId, id: nobody, name: 'nobody' })]);

    assert.deepEqual(await versions(), [before + ids.length, others]);
  });

  test('each change of a device changes its revision, so that nothing stale is shown', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id } = await account.agent({ name: 'old' });
    const first = await account.agentOf(id);

    await must(store, 'agents/rename', { accountId, id, name: 'new' });
    const renamed = await account.agentOf(id);
    await must(store, 'agents/move', { accountId, by: owner.id, id, groupId: await account.group() });
    const moved = await account.agentOf(id);
    const sessionId = await account.session({ agentId: id });
    const started = await account.agentOf(id);
    await must(store, 'sessions/stop', { accountId, id: sessionId, bytes: 1 });
    const stopped = await account.agentOf(id);

    assert.equal(renamed?.name, 'new');
    const revisions = [first, renamed, moved, started, stopped].map((each) => each?.revision);
    assert.deepEqual(revisions, [1, 2, 3, 4, 5]);
  });

  test('a permanent link requires a password, and fields that are not sent stay unchanged', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const { id } = await account.agent();
    const change = (permanent: { enable?: boolean; password?: string }) =>
      store.change('agents/update', { accountId, by: owner.id, id, permanent });

    const refused = await change({ enable: true });
    assert.ok(isFault(refused) && refused.fault === 'invalid_password');
    await change({ enable: true, password: 'hash' });
    await change({ enable: false });
    await change({ password: 'another hash' });

    const device = await account.agentOf(id);
    assert.deepEqual([device?.permanentEnabled, device?.permanentPassword], [false, 'another hash']);
    assert.equal(device?.permanentPath, String(device?.deviceId));
  });

  test('a path belongs to one device of the whole server until it takes another', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const [one, alien] = [await ours.agent(), await theirs.agent()];
    const [first, second] = [`desk-${unique()}`, `desk-${unique()}`];
    const take = ({ accountId, owner }: StoreAccount, id: number, path: string) =>
      store.change('agents/update', {
        accountId,
        by: owner.id,
        id,
        permanent: { enable: true, url: path, password: 'hash' },
      });

    assert.deepEqual(await take(ours, one.id, first), {});
    assert.deepEqual(await take(ours, one.id, first), {});
    const refused = await take(theirs, alien.id, first);
    assert.deepEqual(refused, fault('path_taken', { field: 'permanent_url.url' }));
    assert.equal((await theirs.agentOf(alien.id))?.permanentEnabled, false);
    assert.deepEqual(await take(ours, one.id, second), {});
    assert.deepEqual(await take(theirs, alien.id, first), {});
    const [mine, other] = [await ours.agentOf(one.id), await theirs.agentOf(alien.id)];
    assert.deepEqual([mine?.permanentPath, mine?.permanentPassword], [second, 'hash']);
    assert.deepEqual([other?.permanentPath, other?.permanentEnabled], [first, true]);
  });

  test('of many devices that take one path at the same moment one gets it, and the others keep theirs', async () => {
    const { store, sql } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const by = owner.id;
    const path = `wanted-${unique()}`;
    const devices = await Promise.all(Array.from({ length: 8 }, () => account.agent()));
    const permanent = (url: string) => ({ enable: true, url, password: 'hash' });
    for (const { id, deviceId } of devices)
      await must(store, 'agents/update', { accountId, by, id, permanent: permanent(`own-${deviceId}`) });

    const outcomes = await Promise.all(
      devices.map(({ id }) =>
        store.change('agents/update', { accountId, by, id, permanent: permanent(path) }),
      ),
    );

    assert.equal(outcomes.filter((each) => !isFault(each)).length, 1);
    const kept = await sql(`select path from permanent_path where account_id = ${accountId}`);
    assert.deepEqual([kept.length, kept.filter((each) => each['path'] === path).length], [8, 1]);
  });

  test('a device that does not exist, or is another account’s, cannot be changed', async () => {
    const { store } = fixture();
    const [ours, theirs] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = ours;
    const [{ id: mine }, { id: alien }] = [await ours.agent(), await theirs.agent({ name: 'theirs' })];
    const before = await theirs.agentOf(alien);
    const [group, alienGroup] = [await ours.group(), await theirs.group()];
    const by = owner.id;

    for (const id of [nobody, alien]) {
      const outcomes = [
        await store.change('agents/rename', { accountId, id, name: 'x' }),
        await store.change('agents/policy', { accountId, id, policy: { onetime_url: 'forbid' } }),
        await store.change('agents/update', { accountId, by, id, name: 'x' }),
        await store.change('agents/move', { accountId, by, id, groupId: group }),
        await store.change('agents/remove', { accountId, id }),
        await store.change('agents/merge', { accountId, by, sourceId: id, targetId: mine }),
        await store.change('agents/merge', { accountId, by, sourceId: mine, targetId: id }),
      ];
      assert.deepEqual(outcomes, Array(7).fill(fault('not_found')));
    }
    const into = await store.change('agents/move', { accountId, by, id: mine, groupId: alienGroup });
    assert.deepEqual(into, fault('not_found'));
    assert.deepEqual(await theirs.agentOf(alien), before);
    assert.ok(await ours.agentOf(mine));
  });

  test('of many nodes that start at the same moment each gets the same key of the server, also later', async () => {
    const { store } = fixture();
    const offered = Array.from({ length: 4 }, () => ({ privateKey: unique(), publicKey: unique() }));

    const kept = await Promise.all(offered.map((keys) => must(store, 'server/identity', keys)));
    await must(store, 'server/probe', {});
    const later = await must(store, 'server/identity', { privateKey: 'late', publicKey: 'late' });

    assert.ok(offered.some((keys) => keys.privateKey === later.privateKey));
    assert.deepEqual(kept, Array(4).fill(later));
  });
}
