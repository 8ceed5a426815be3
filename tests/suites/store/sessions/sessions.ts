/**
 * Part of the store's suite: sessions that are opened, started, cut, resumed and ended, and what invitations
 * see of it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import type { Invitation } from '@drawbridge/server/domain/support';
import type { HistoryFilter } from '@drawbridge/server/store/people/account-records';
import type { Page } from '@drawbridge/server/store/store';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreAccount, type StoreFixture } from '../fixture.ts';
import { joiner } from '../support/clients.ts';

const week = 7 * 86_400;

const opening = (secretDigest = someDigest()) => ({
  origin: 'api' as const,
  permissions: ['agent_connect'],
  secretDigest,
  record: true,
});

const everything = ({ owner }: StoreAccount): HistoryFilter & Page => ({
  agents: 'all',
  invitations: 'all',
  memberId: owner.id,
  offset: 0,
  limit: 100,
});

export function sessionsSuite(fixture: () => StoreFixture): void {
  const historyOf = async (account: StoreAccount, filter: Partial<HistoryFilter> = {}) =>
    (await fixture().store.history.list(account.accountId, { ...everything(account), ...filter })).sessions;
  const invitationOf = async ({ accountId }: StoreAccount, id: number): Promise<Invitation> =>
    (await fixture().store.invitations.find(accountId, id))!;
  const join = joiner(fixture);

  test('a session counts from the moment the two sides meet, and one that never began leaves nothing', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const [met, alone] = [
      await account.session({ agentId, opening: opening() }),
      await account.session({ agentId, opening: opening() }),
    ];
    assert.equal((await account.agentOf(agentId))?.sessionsTotal, 0);
    advance(5);

    await must(store, 'sessions/begin', { accountId, id: met });
    await must(store, 'sessions/begin', { accountId, id: met });
    await must(store, 'sessions/stop', { accountId, id: alone, bytes: 0 });

    const device = await account.agentOf(agentId);
    assert.deepEqual([device?.sessionsTotal, device?.lastSession?.id], [1, met]);
    assert.deepEqual(
      (await historyOf(account, { live: true })).map((each) => [each.id, each.start]),
      [[met, store.now()]],
    );
    assert.equal(await store.sessions.find(accountId, alone), undefined);
  });

  test('an operator who was cut off resumes while it runs, and shortly after it was taken for dead', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const id = await account.session({ agentId, opening: opening() });
    await must(store, 'sessions/begin', { accountId, id });
    const resume = () => store.change('sessions/resume', { accountId, id, permissions: ['agent_connect'] });
    const stop = async () => (await store.sessions.find(accountId, id))?.stop;

    await must(store, 'sessions/cut', { accountId, id, bytes: 10 });
    assert.deepEqual([await resume(), await stop()], [{}, null]);
    // Of a pairing that another replaced: the session itself continues.
    await must(store, 'sessions/count', { accountId, id, bytes: 100 });
    assert.equal(await stop(), null);
    await must(store, 'sessions/cut', { accountId, id, bytes: 5 });
    const cutAt = store.now();
    advance(30);
    await must(store, 'sessions/bury', { silentSince: store.now() });
    assert.equal(await stop(), cutAt);
    assert.deepEqual([await resume(), await stop()], [{}, null]);
    await must(store, 'sessions/cut', { accountId, id, bytes: 1 });
    advance(601);
    await must(store, 'sessions/bury', { silentSince: store.now() });

    assert.deepEqual(await resume(), fault('not_found'));
    assert.equal((await historyOf(account))[0]?.bytes, 116);
  });

  test('a session that was ended deliberately cannot be resumed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    for (const by of ['operator', 'device', 'server'] as const) {
      const { id: agentId } = await account.agent();
      const id = await account.session({ agentId, opening: opening() });
      await must(store, 'sessions/begin', { accountId, id });
      await must(store, 'sessions/stop', { accountId, id, bytes: 1, by });
      await must(store, 'sessions/stop', { accountId, id, bytes: 7, by });

      const back = await store.change('sessions/resume', { accountId, id, permissions: [] });

      assert.deepEqual(back, fault('not_found'));
      // The bytes of a session that the server ended before it knew them are reported later.
      const [row] = await historyOf(account, { agentId });
      assert.equal(row?.bytes, by === 'server' ? 8 : 1);
    }
  });

  test('a session is found by its own secret and by no other, and says what it is bound to', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const { id: agentId } = await account.agent();
    const secret = someDigest();
    const id = await account.session({ agentId, opening: opening(secret) });
    const bare = await account.session({ agentId });

    const found = await store.sessions.bySecret(id, secret);

    assert.deepEqual(found, {
      id,
      accountId,
      memberId: owner.id,
      agentId,
      invitationId: null,
      origin: 'api',
      permissions: ['agent_connect'],
      record: true,
      stop: null,
      begun: false,
    });
    assert.deepEqual(await store.sessions.find(accountId, id), found);
    assert.equal(await store.sessions.find(other.accountId, id), undefined);
    assert.equal(await store.sessions.bySecret(id, someDigest()), undefined);
    assert.equal(await store.sessions.bySecret(bare, ''), undefined);
  });

  test('the targets of sessions are returned for those that still exist', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const person = await account.member();
    const [{ id: agentId }, { id: gone }] = [await account.agent(), await account.agent()];
    const { id: invitationId } = await account.invitation();
    const [one, two, three] = [
      await account.session({ agentId, memberId: person.id, opening: opening() }),
      await account.session({ agentId: gone, opening: opening() }),
      await account.session({ invitationId, opening: opening() }),
    ];
    await must(store, 'agents/remove', { accountId, id: gone });
    await must(store, 'members/remove', { accountId, email: person.email });
    await must(store, 'invitations/happen', {
      accountId,
      id: invitationId,
      event: 'close',
      lifetime: week,
    });

    const standing = (await store.sessions.validity([one, two, three])).toSorted((a, b) => a.id - b.id);

    assert.deepEqual(
      standing.map(({ id, stop, memberId, agent, status }) => [id, stop, memberId, agent?.id, status]),
      [
        [one, null, null, agentId, null],
        [three, null, account.owner.id, undefined, 3],
      ],
    );
    assert.deepEqual(await store.sessions.validity([]), []);
  });

  test('operators are present while one of them is at the relay', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: invitationId, code } = await account.invitation();
    const status = async () => {
      const { status: now, operatorPresent } = await invitationOf(account, invitationId);
      return [now, operatorPresent];
    };
    const first = await account.session({ invitationId, opening: opening() });
    assert.deepEqual(await status(), [0, true]);
    await join(code, 'a key');
    assert.deepEqual(await status(), [2, true]);
    const second = await account.session({ invitationId, opening: opening() });
    await must(store, 'sessions/begin', { accountId, id: second });

    await must(store, 'sessions/stop', { accountId, id: first, bytes: 0 });
    assert.deepEqual(await status(), [2, true]);
    await must(store, 'sessions/cut', { accountId, id: second, bytes: 0 });
    assert.deepEqual(await status(), [1, false]);
    await must(store, 'sessions/resume', { accountId, id: second, permissions: [] });
    assert.deepEqual(await status(), [2, true]);
    fixture().advance(61);
    await must(store, 'sessions/bury', { silentSince: store.now() });

    assert.deepEqual(await status(), [1, false]);
  });

  test('notes stay with their session, and settings with their group', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const { id: agentId } = await account.agent({ publicKey: unique() });
    const id = await account.session({ agentId });
    const group = await account.group();

    await must(store, 'sessions/note', { accountId, id, note: 'Replaced the cable.' });
    assert.deepEqual(await store.groups.policy(accountId, group), { account: {}, group: {} });
    await must(store, 'groups/policy', { accountId, id: group, policy: { confirm: 'ask' } });
    await must(store, 'groups/policy', { accountId, id: group, policy: { onetime_url: 'forbid' } });
    await must(store, 'groups/policy', { accountId, id: group, policy: {} });

    assert.equal((await historyOf(account))[0]?.note, 'Replaced the cable.');
    assert.deepEqual(await store.groups.policy(accountId, group), {
      account: {},
      group: { confirm: 'ask', onetime_url: 'forbid' },
    });
    assert.equal(await store.groups.policy(other.accountId, group), undefined);
    assert.equal(typeof (await store.deviceIdentity.publicKey(accountId, agentId)), 'string');
    assert.equal(await store.deviceIdentity.publicKey(other.accountId, agentId), undefined);
    const theirs = { accountId: other.accountId, note: '', policy: { confirm: 'ask' as const } };
    assert.deepEqual(await store.change('sessions/note', { ...theirs, id }), fault('not_found'));
    assert.deepEqual(await store.change('groups/policy', { ...theirs, id: group }), fault('not_found'));
  });
}
