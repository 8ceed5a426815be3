/** Part of the store's suite: clients of invitations who join, stay and leave, and the operator's URL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Invitation } from '@drawbridge/server/domain/support';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreAccount, type StoreFixture } from '../fixture.ts';

const week = 7 * 86_400;
/** Larger than any id. */
const nobody = 2 ** 52;

/** How a client joins in this fixture. */
export const joiner =
  (fixture: () => StoreFixture) =>
  (code: string, key: string, os: 'win' | 'mac' = 'win') => {
    const { store } = fixture();
    const until = store.now() + 15;
    return store.change('invitations/join', { code, key, os, preview: 'p', until, lifetime: week });
  };

export function clientsSuite(fixture: () => StoreFixture): void {
  const join = joiner(fixture);
  const invitationOf = async ({ accountId }: StoreAccount, id: number): Promise<Invitation> =>
    (await fixture().store.invitations.find(accountId, id))!;

  test('a client who reconnects in time with the same key was never away; another is refused', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const { id, code } = await account.invitation();
    await must(store, 'invitations/lapse', {});
    const joined = await join(code, 'mine');
    assert.ok(!isFault(joined));
    assert.deepEqual(
      [joined.owner, joined.invitation.status, joined.invitation.clientOs, joined.invitation.clientKey],
      [account.owner.email, 1, 'win', 'mine'],
    );
    advance(14);

    const other = await join(code, 'theirs');
    assert.ok(isFault(other) && other.code === 'client_taken');
    const back = await join(code, 'mine', 'mac');
    assert.ok(!isFault(back) && back.invitation.clientOs === 'win');
    assert.equal(back.invitation.clientPreview, `${id}-p`);
    advance(14);
    assert.equal(await store.invitations.hasLapsed(store.now()), false);
    await must(store, 'invitations/lapse', {});
    assert.equal((await invitationOf(account, id)).status, 1);
    advance(1);
    assert.equal(await store.invitations.hasLapsed(store.now()), true);
    const late = await join(code, 'theirs', 'mac');

    assert.ok(!isFault(late) && late.invitation.clientOs === 'mac' && late.invitation.clientKey === 'theirs');
    assert.deepEqual(await join('000000000', 'x'), fault('not_found'));
  });

  test('a client counts as connected while its lease is renewed, and is gone when it expires', async () => {
    const { store, advance } = fixture();
    const account = await openAccount(store);
    const [kept, lost] = [await account.invitation(), await account.invitation()];
    for (const { code } of [kept, lost]) await join(code, 'key');
    advance(10);
    const clients = [
      { id: kept.id, key: 'key' },
      { id: lost.id, key: 'another key' },
    ];
    await must(store, 'invitations/renew', { clients, until: store.now() + 15 });
    advance(5);

    await must(store, 'invitations/lapse', {});

    const [there, gone] = [await invitationOf(account, kept.id), await invitationOf(account, lost.id)];
    assert.deepEqual([there.status, there.clientKey], [1, 'key']);
    assert.deepEqual([gone.status, gone.clientOs, gone.clientPreview, gone.clientKey], [0, '', '', '']);
  });

  test('a client who says goodbye is gone at once, and only the current client can say it', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id, code } = await account.invitation();
    await join(code, 'key');

    await must(store, 'invitations/leave', { accountId, id, key: 'another key' });
    assert.equal((await invitationOf(account, id)).status, 1);
    await must(store, 'invitations/leave', { accountId, id, key: 'key' });

    assert.equal((await invitationOf(account, id)).status, 0);
  });

  test('closed invitations are distinguished from open ones, and each is found by its number and by its picture, an open one also by its code', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [open, closed] = [await account.invitation(), await account.invitation()];
    await join(open.code, 'key');
    await must(store, 'invitations/happen', { accountId, id: closed.id, event: 'close', lifetime: week });
    const { byId, byPreview, byCode } = store.invitations;

    assert.deepEqual(await store.invitations.holders([open.id, closed.id, nobody]), new Map([[open.id, '']]));
    assert.deepEqual(await store.invitations.holders([]), new Map());
    assert.equal((await byId(open.id))?.connectToken, open.connectToken);
    assert.equal((await byPreview(open.id, `${open.id}-p`))?.id, open.id);
    assert.equal(await byPreview(open.id, 'x'), undefined);
    assert.deepEqual([await byId(nobody), await byPreview(nobody, '')], [undefined, undefined]);
    const found = await byCode(open.code);
    assert.deepEqual([found?.invitation.id, found?.owner], [open.id, account.owner.email]);
    assert.deepEqual([await byCode(closed.code), await byCode('')], [undefined, undefined]);
  });

  test('the operator’s URL of an invitation gives one link to one of many, and none once it is closed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: memberId } = await account.member();
    const [open, closed] = [await account.invitation(), await account.invitation()];
    await must(store, 'invitations/happen', { accountId, id: closed.id, event: 'close', lifetime: week });
    const expireTime = store.now() + 300;
    const digests = Array.from({ length: 10 }, () => someDigest());
    const createLink = (invitationId: number, digest: string) =>
      store.change('links/add-operator', { accountId, memberId, invitationId, digest, expireTime });

    const outcomes = await Promise.all(digests.map((digest) => createLink(open.id, digest)));

    const winner = digests[outcomes.findIndex((each) => !isFault(each))]!;
    assert.equal(outcomes.filter((each) => !isFault(each)).length, 1);
    assert.deepEqual(await store.change('links/consume', { digest: winner }), {
      accountId,
      memberId,
      origin: 'operator',
      agentId: null,
      invitationId: open.id,
      video: null,
    });
    assert.deepEqual(await createLink(closed.id, someDigest()), fault('not_found'));
  });
}
