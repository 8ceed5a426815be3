/** Part of the store's suite: which pairing holds a session, and which connection holds the client of an invitation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

const week = 7 * 86_400;
const opening = { origin: 'api', permissions: ['agent_connect'], record: true } as const;

export function holdersSuite(fixture: () => StoreFixture): void {
  test('a pairing whose session was resumed by another one changes nothing about it, and its bytes are added', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const id = await account.session({
      agentId,
      opening: { ...opening, secretDigest: someDigest(), holder: 'old' },
    });
    await must(store, 'sessions/begin', { accountId, id });
    const holder = async () => (await store.sessions.validity([id]))[0]?.holder;
    const waiting = async () =>
      (await store.approvals.waiting(accountId, { scope: 'all', exceptMemberId: 0, limit: 9 })).total;
    const everything = {
      agents: 'all',
      invitations: 'all',
      memberId: account.owner.id,
      offset: 0,
      limit: 9,
    } as const;
    const bytes = async () => (await store.history.list(accountId, everything)).sessions[0]?.bytes;
    assert.equal(await holder(), 'old');

    await must(store, 'sessions/resume', { accountId, id, permissions: [], holder: 'new' });
    await must(store, 'sessions/await-approval', { accountId, id, until: store.now() + 600 });
    const cut = await must(store, 'sessions/cut', { accountId, id, bytes: 10, holder: 'old' });
    const stopped = await store.change('sessions/stop', {
      accountId,
      id,
      bytes: 1,
      by: 'lost',
      holder: 'old',
    });
    assert.deepEqual([cut, stopped, await holder()], [{ waitedOn: null }, fault('not_found'), 'new']);
    assert.deepEqual([await waiting(), await bytes()], [1, 10]);
    advance(30);
    await must(store, 'sessions/alive', { sessions: [{ id, bytes: 5, holder: 'old' }] });
    await must(store, 'sessions/bury', { silentSince: store.now() });
    assert.equal((await store.sessions.find(accountId, id))?.stop, store.now() - 30);

    await must(store, 'sessions/resume', { accountId, id, permissions: [], holder: 'newest' });
    await must(store, 'sessions/alive', { sessions: [{ id, bytes: 0, holder: 'newest' }] });
    await must(store, 'sessions/cut', { accountId, id, bytes: 2, holder: 'newest' });
    assert.equal(await bytes(), 17);
    await must(store, 'sessions/stop', { accountId, id, bytes: 3, holder: 'newest' });
    assert.deepEqual(
      await store.change('sessions/resume', { accountId, id, permissions: [] }),
      fault('not_found'),
    );
  });

  test('the store knows the newest connection of a client, and only that one renews it', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { id, code } = await account.invitation();
    const joinAs = (holder: string) =>
      must(store, 'invitations/join', {
        code,
        key: 'key',
        holder,
        os: 'win',
        preview: 'p',
        until: store.now() + 15,
        lifetime: week,
      });
    const renew = (holder: string) =>
      must(store, 'invitations/renew', { clients: [{ id, key: 'key', holder }], until: store.now() + 15 });
    const status = async () => (await store.invitations.find(account.accountId, id))?.status;
    await joinAs('old');
    await joinAs('new');
    assert.deepEqual(await store.invitations.holders([id]), new Map([[id, 'new']]));
    advance(10);
    await renew('new');
    advance(10);
    await renew('old');

    await must(store, 'invitations/lapse', {});
    assert.equal(await status(), 1);
    advance(5);
    await must(store, 'invitations/lapse', {});
    assert.equal(await status(), 0);
    assert.deepEqual(await store.invitations.holders([id]), new Map([[id, '']]));
  });
}
