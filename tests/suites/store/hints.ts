/**
 * Part of the store's suite: what determines who may receive a change, and what changes report about whom
 * they affect.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreFixture } from './fixture.ts';

const byId = <T extends { id: number }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => one.id - other.id);

const opening = { origin: 'api', permissions: [], secretDigest: '', record: false } as const;

export function hintsSuite(fixture: () => StoreFixture): void {
  test('the groups of devices are read within the account: of some, and of all', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const groupId = await account.group();
    const [one, two] = [await account.agent({ groupId }), await account.agent()];
    const foreign = await other.agent();

    const some = await store.visibility.agentRefs(account.accountId, [two.id, foreign.id]);
    const all = await store.visibility.agentRefs(account.accountId);
    const none = await store.visibility.agentRefs(account.accountId, []);

    assert.deepEqual(some, [{ id: two.id, groupId: null }]);
    assert.deepEqual(all, [
      { id: one.id, groupId },
      { id: two.id, groupId: null },
    ]);
    assert.deepEqual(none, []);
  });

  test('the owners of invitations, and the targets of sessions, are read within the account', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const groupId = await account.group();
    const { id: agentId } = await account.agent({ groupId });
    const [invitation, foreign] = [await account.invitation(), await other.invitation()];
    const direct = await account.session({ agentId, opening });
    const invited = await account.session({ invitationId: invitation.id, opening });
    await must(store, 'sessions/begin', { accountId, id: direct });

    const owners = await store.visibility.invitations(accountId, [invitation.id, foreign.id]);
    const sessions = await store.visibility.sessions(accountId, [direct, invited]);

    assert.deepEqual(owners, [{ id: invitation.id, memberId: owner.id }]);
    assert.deepEqual(byId(sessions), [
      { id: direct, begun: true, invitationId: null, agent: { id: agentId, groupId } },
      { id: invited, begun: false, invitationId: invitation.id, agent: null },
    ]);
    assert.deepEqual(await store.visibility.sessions(other.accountId, [direct]), []);
  });

  test('a session that ends reports whose operator left; one that timed out does too', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const invitation = await account.invitation();
    const to = { invitationId: invitation.id, opening };
    const [stopped, silent] = [await account.session(to), await account.session(to)];
    const { id: agentId } = await account.agent();
    const waiting = await account.session({ agentId, opening });
    await must(store, 'sessions/await-approval', { accountId, id: waiting, until: store.now() + 600 });

    const stop = () => must(store, 'sessions/stop', { accountId, id: stopped, bytes: 0 });
    assert.deepEqual(await stop(), { invitationId: invitation.id, waitedOn: null });
    assert.deepEqual(await stop(), { invitationId: null, waitedOn: null });
    advance(60);
    const { ended } = await must(store, 'sessions/bury', { silentSince: store.now() - 30 });

    const own = ended.filter((each) => each.accountId === accountId);
    assert.deepEqual(byId(own), [
      { accountId, id: silent, invitationId: invitation.id, waitedOn: null },
      { accountId, id: waiting, invitationId: null, waitedOn: agentId },
    ]);
  });

  test('a device that was not online is reported as connected, one that is only renewed is not; leaving is reported too', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [one, two] = [await account.agent(), await account.agent()];
    const node = unique();
    const renew = (...ids: number[]) =>
      must(store, 'presence/renew', {
        node,
        agents: ids.map((id) => ({ id })),
        leaseUntil: store.now() + 30,
      });

    const first = await renew(one.id);
    const second = await renew(one.id, two.id);
    const ended = await must(store, 'presence/end', { node, ids: [one.id] });
    const again = await renew(one.id);
    const released = await must(store, 'presence/release', { node });

    const owned = (...ids: number[]) => ids.map((id) => ({ accountId, id }));
    assert.deepEqual([first.came, second.came], [owned(one.id), owned(two.id)]);
    assert.deepEqual([ended.left, again.came], [owned(one.id), owned(one.id)]);
    // Leases renewed in this very second are included too.
    assert.deepEqual(byId(released.left), owned(one.id, two.id));
  });

  test('an expired lease is reported for its time, a released one is not', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [lost, left, stays] = [await account.agent(), await account.agent(), await account.agent()];
    const node = unique();
    const renew = (id: number, seconds: number) =>
      must(store, 'presence/renew', { node, agents: [{ id }], leaseUntil: store.now() + seconds });
    await renew(lost.id, 10);
    await renew(left.id, 10);
    await renew(stays.id, 60);
    await must(store, 'presence/end', { node, ids: [left.id] });
    const from = store.now();
    const own = async (since: number, until: number) =>
      (await store.visibility.lapsed(since, until)).filter((each) => each.accountId === accountId);

    advance(10);

    assert.deepEqual(await own(from, store.now()), [{ accountId, id: lost.id }]);
    assert.deepEqual(await own(from, store.now() - 1), []);
    assert.deepEqual(await own(store.now(), store.now() + 1), []);
  });

  test('clients who are gone too long, and invitations nobody joined, are reported by number', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [joined, waiting] = [await account.invitation(), await account.invitation()];
    await must(store, 'invitations/join', {
      code: joined.code,
      key: unique(),
      os: 'linux',
      preview: unique(),
      until: store.now() + 30,
      lifetime: 86_400,
    });
    advance(31);

    const { left } = await must(store, 'invitations/lapse', {});
    const { closed } = await must(store, 'invitations/expire', { bornBefore: store.now() });

    const own = (all: readonly { accountId: number; id: number }[]) =>
      all.filter((each) => each.accountId === accountId);
    assert.deepEqual(own(left), [{ accountId, id: joined.id }]);
    assert.deepEqual(own(closed), [{ accountId, id: waiting.id }]);
  });

  test('signed-in people are listed until they are not, with how often permissions changed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const memberId = account.owner.id;
    const session = { digest: someDigest(), address: '', userAgent: '' };
    const { id } = await must(store, 'panel/sessions/open', { accountId, memberId, session });

    const [before] = await store.visibility.signedIn([id]);
    await account.grant(await account.member(), await account.role('team', ['team_api_key']));
    const [after] = await store.visibility.signedIn([id, id]);
    await must(store, 'panel/sessions/end', { accountId, memberId, id });

    assert.deepEqual([before?.id, before?.createTime], [id, store.now()]);
    assert.ok(after!.rightsVersion > before!.rightsVersion);
    assert.deepEqual(await store.visibility.signedIn([id]), []);
  });
}
