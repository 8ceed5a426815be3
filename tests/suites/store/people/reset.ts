/**
 * Part of the store's suite: recovery links for people who cannot sign in any more, and who may create them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreAccount, type StoreFixture } from '../fixture.ts';

/** A member who signed in by their link and holds these permissions of the team. */
async function technician(
  { store }: StoreFixture,
  account: StoreAccount,
  permissions: readonly 'team_user_admin'[] = [],
) {
  const person = await account.member();
  const link = { digest: someDigest(), expireTime: store.now() + 600 };
  await must(store, 'members/invite', { accountId: account.accountId, email: person.email, link });
  await must(store, 'members/sign-in', { digest: link.digest });
  if (permissions.length > 0)
    await account.grant({ email: person.email }, await account.role('team', permissions));
  return person;
}

export function resetSuite(fixture: () => StoreFixture): void {
  test('a recovery link is created for members whose permissions one holds, for oneself, and never for the owner', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const [admin, plain] = [
      await technician(fixture(), account, ['team_user_admin']),
      await technician(fixture(), account),
    ];
    const invited = await account.member();
    const reset = (email: string, by?: number) =>
      store.change('members/reset', {
        accountId,
        ...(by !== undefined && { by }),
        email,
        link: { digest: someDigest(), expireTime: store.now() + 60 },
        forget: false,
      });
    const codeOf = async (outcome: ReturnType<typeof reset>) => {
      const ended = await outcome;
      return isFault(ended) ? (ended.code ?? ended.fault) : ended.memberId;
    };

    assert.equal(await codeOf(reset(plain.email, admin.id)), plain.id);
    assert.equal(await codeOf(reset(admin.email, admin.id)), admin.id);
    assert.equal(await codeOf(reset(admin.email, owner.id)), admin.id);
    assert.equal(await codeOf(reset(owner.email, owner.id)), owner.id);
    assert.equal(await codeOf(reset(owner.email)), owner.id);
    assert.equal(await codeOf(reset(owner.email, admin.id)), 'beyond_own_rights');
    assert.equal(await codeOf(reset(admin.email, plain.id)), 'beyond_own_rights');
    assert.equal(await codeOf(reset(invited.email, owner.id)), 'still_invited');
    assert.equal(await codeOf(reset('nobody@example.com', owner.id)), 'not_found');
    await must(store, 'operators/add', { member: { accountId, id: plain.id } });
    assert.equal(await codeOf(reset(plain.email, admin.id)), 'beyond_own_rights');
    await must(store, 'operators/remove', { member: { accountId, id: plain.id }, evenLast: true });
    assert.equal(await codeOf(reset(plain.email, admin.id)), plain.id);
    const { id: agentId } = await account.agent();
    await account.grant({ email: plain.email }, await account.role('agent', ['agent_connect']), { agentId });
    assert.equal(await codeOf(reset(plain.email, admin.id)), 'beyond_own_rights');
  });

  test('the recovery link ends everything that was open before, and opens nothing once the member holds more than its creator', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const admin = await technician(fixture(), account, ['team_user_admin']);
    const plain = await technician(fixture(), account);
    const memberRef = { accountId, memberId: plain.id };
    const make = async () => {
      const link = { digest: someDigest(), expireTime: store.now() + 60 };
      await must(store, 'members/reset', {
        accountId,
        by: admin.id,
        email: plain.email,
        link,
        forget: false,
      });
      return link.digest;
    };
    const session = () => ({ digest: someDigest(), address: '', userAgent: '' });
    await must(store, 'panel/sessions/open', { ...memberRef, session: session() });
    const [one, two] = [await make(), await make()];

    await must(store, 'members/sign-in', { digest: one, session: session() });
    assert.equal((await store.panel.sessions(memberRef)).length, 1);
    assert.deepEqual(await store.change('members/sign-in', { digest: two }), fault('not_found'));
    const three = await make();
    const { id: agentId } = await account.agent();
    await account.grant({ email: plain.email }, await account.role('agent', ['agent_connect']), { agentId });
    assert.deepEqual(await store.change('members/sign-in', { digest: three }), fault('not_found'));
  });

  test('an invitation opens nothing for its creator once the invited member administers the server', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const admin = await technician(fixture(), account, ['team_user_admin']);
    const { id, email } = await account.member();
    const invite = () => {
      const link = { digest: someDigest(), expireTime: store.now() + 60 };
      const outcome = store.change('members/invite', { accountId, by: admin.id, email, link });
      return { digest: link.digest, outcome };
    };
    const kept = invite();
    assert.ok(!isFault(await kept.outcome));

    await must(store, 'operators/add', { member: { accountId, id } });
    const again = await invite().outcome;

    assert.equal(isFault(again) && again.code, 'beyond_own_rights');
    assert.deepEqual(await store.change('members/sign-in', { digest: kept.digest }), fault('not_found'));
    await must(store, 'operators/add', { member: { accountId, id: admin.id } });
    assert.ok(!isFault(await store.change('members/sign-in', { digest: kept.digest })));
    for (const each of [id, admin.id])
      await must(store, 'operators/remove', { member: { accountId, id: each }, evenLast: true });
  });
}
