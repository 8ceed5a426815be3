/** Part of the store's suite: which devices are online, and whose favourites they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import { openAccount, unique, type StoreFixture } from '../fixture.ts';

/** Larger than any id. */
const nobody = 2 ** 52;

export function presenceSuite(fixture: () => StoreFixture): void {
  test('a device is a favourite for one member and not for another', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const ann = await account.member();
    const { id } = await account.agent();
    const favor = (favorite: boolean) =>
      must(store, 'agents/favor', { accountId, memberId: ann.id, id, favorite });

    await favor(true);
    await favor(true);
    const [hers, his] = [await account.agentOf(id, ann), await account.agentOf(id, owner)];
    await favor(false);

    assert.deepEqual([hers?.favorite, his?.favorite], [true, false]);
    assert.equal((await account.agentOf(id, ann))?.favorite, false);
  });

  test('a device is online while its lease is renewed, and records when it last was', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const geo = { ip: '192.0.2.9', country: '', region: '', city: '' };
    const { id } = await account.agent({ geo, addresses: ['10.0.0.9'] });
    const { id: other } = await account.agent();
    const online = async () => (await store.agents.online(accountId, store.now())).map((each) => each.id);
    const renew = (ids: number[]) =>
      must(store, 'presence/renew', {
        node: 'a',
        agents: ids.map((each) => ({ id: each })),
        leaseUntil: store.now() + 30,
      });

    await renew([id, other, nobody]);
    assert.deepEqual(await store.agents.online(accountId, store.now()), [
      { id, publicIp: '192.0.2.9', addresses: ['192.0.2.9', '10.0.0.9'] },
      { id: other, publicIp: '', addresses: [''] },
    ]);
    advance(29);
    await renew([id]);
    await renew([]);
    const seen = store.now();
    advance(1);

    assert.deepEqual(await online(), [id]);
    advance(29);
    assert.deepEqual(await online(), []);
    assert.equal((await account.agentOf(id))?.lastTime, seen);
  });

  test('a node keeps all its devices online at once, except those that have left, are elsewhere or were lost', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const agents = [];
    for (let each = 0; each < 4; each++) agents.push(await account.agent());
    const [stays, left, moved, lost] = agents.map(({ id }) => id) as [number, number, number, number];
    const [here, there] = [unique(), unique()];
    const renew = (node: string, ids: number[], seconds: number) =>
      must(store, 'presence/renew', {
        node,
        agents: ids.map((id) => ({ id })),
        leaseUntil: store.now() + seconds,
      });
    await renew(here, [stays, left, moved], 30);
    await renew(here, [lost], 5);
    await renew(there, [moved], 30);
    await must(store, 'presence/end', { node: here, ids: [left] });
    advance(10);

    const extended = await must(store, 'presence/extend', { node: here, leaseUntil: store.now() + 30 });
    const seen = store.now();
    advance(25);

    assert.deepEqual(extended, { held: [stays] });
    const online = await store.agents.online(account.accountId, store.now());
    assert.deepEqual(
      online.map(({ id }) => id),
      [stays],
    );
    assert.equal((await account.agentOf(stays))?.lastTime, seen);
  });

  test('a node that starts again releases what it held before, and nothing of other nodes', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [{ id: one }, { id: two }] = [await account.agent(), await account.agent()];
    const [here, there] = [unique(), unique()];
    for (const [node, id] of [
      [here, one],
      [there, two],
    ] as const)
      await must(store, 'presence/renew', { node, agents: [{ id }], leaseUntil: store.now() + 30 });
    const online = async () => (await store.agents.online(accountId, store.now())).map((each) => each.id);

    await must(store, 'presence/release', { node: here });
    const afterOne = await online();
    await must(store, 'presence/release', { node: 'all' });

    assert.deepEqual([afterOne, await online()], [[two], []]);
    assert.equal((await account.agentOf(one))?.lastTime, store.now());
  });
}
