/** Part of the store's suite: the networks where people signed in, how many are known, and for how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maxKnownNetworks,
  knownNetworkLifetime,
  type MemberRef,
} from '@drawbridge/server/domain/people/panel';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

const signIn = (store: Store, memberRef: MemberRef, address: string) =>
  must(store, 'panel/sessions/open', {
    ...memberRef,
    session: { digest: someDigest(), address, userAgent: '' },
  });

const isKnown = async (store: Store, memberRef: MemberRef, address: string): Promise<boolean> =>
  (await store.panel.knownAt([memberRef], { address, now: store.now() })).has(memberRef.memberId);

async function somebody(store: Store): Promise<MemberRef & { email: string }> {
  const { accountId, owner } = await openAccount(store);
  return { accountId, memberId: owner.id, email: owner.email };
}

export function networksSuite(fixture: () => StoreFixture): void {
  test('the networks where a person signed in are known for that person alone', async () => {
    const { store } = fixture();
    const [ann, bob] = [await somebody(store), await somebody(store)];
    await signIn(store, ann, '2001:db8:0:7::1');

    const known = await store.panel.knownAt([ann, bob], { address: '2001:db8:0:7::9', now: store.now() });

    assert.deepEqual([...known], [ann.memberId]);
    assert.equal(await isKnown(store, ann, '2001:db8:0:8::1'), false);
    assert.deepEqual([...(await store.panel.knownAt([], { address: '', now: store.now() }))], []);
  });

  test('of one person only the newest networks are known, and those of others are not dropped for it', async () => {
    const { store, sql, advance } = fixture();
    const [ann, bob] = [await somebody(store), await somebody(store)];
    await signIn(store, bob, '192.0.2.1');
    for (let at = 0; at < maxKnownNetworks + 5; at++) {
      await signIn(store, ann, `192.0.2.${at}`);
      if (at < maxKnownNetworks) advance(1);
    }
    await signIn(store, ann, '192.0.2.10');

    const rows = await sql<{ network: string }>(
      `select network from known_network where member_id = ${ann.memberId}`,
    );

    assert.equal(rows.length, maxKnownNetworks);
    assert.deepEqual(
      [await isKnown(store, ann, '192.0.2.4'), await isKnown(store, ann, `192.0.2.${maxKnownNetworks + 4}`)],
      [false, true],
    );
    assert.deepEqual(
      [await isKnown(store, ann, '192.0.2.10'), await isKnown(store, bob, '192.0.2.1')],
      [true, true],
    );
  });

  test('a network is forgotten after a long time without a sign-in', async () => {
    const { store, sql, advance } = fixture();
    const ann = await somebody(store);
    await signIn(store, ann, '192.0.2.1');
    await signIn(store, ann, '192.0.2.2');
    advance(knownNetworkLifetime);
    await signIn(store, ann, '192.0.2.2');
    const before = await isKnown(store, ann, '192.0.2.1');
    advance(1);

    const after = await isKnown(store, ann, '192.0.2.1');
    await must(store, 'panel/sweep', { seenBefore: 0, bornBefore: 0 });

    assert.deepEqual([before, after], [true, false]);
    assert.deepEqual(await sql(`select network from known_network where member_id = ${ann.memberId}`), [
      { network: '192.0.2.2' },
    ]);
  });

  test('a new password forgets the networks except the one where it was set; a recovery link forgets all before it', async () => {
    const { store } = fixture();
    const ann = await somebody(store);
    const { accountId, memberId, email } = ann;
    await signIn(store, ann, '192.0.2.1');
    const { id: keep } = await signIn(store, ann, '192.0.2.2');

    await must(store, 'members/password', { accountId, memberId, password: 'hash', keep });
    const afterPassword = [await isKnown(store, ann, '192.0.2.1'), await isKnown(store, ann, '192.0.2.2')];
    const link = { digest: someDigest(), expireTime: store.now() + 60 };
    await must(store, 'members/reset', { accountId, email, link, forget: false });
    const session = { digest: someDigest(), address: '192.0.2.3', userAgent: '' };
    await must(store, 'members/sign-in', { digest: link.digest, session });

    assert.deepEqual(afterPassword, [false, true]);
    assert.deepEqual(
      [await isKnown(store, ann, '192.0.2.2'), await isKnown(store, ann, '192.0.2.3')],
      [false, true],
    );
  });
}
