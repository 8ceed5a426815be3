/** Part of the store's suite: where people are signed in, and sign-ins in progress. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';
import { stepFor } from './sign-in-steps.ts';

const place = { address: '192.0.2.7', userAgent: 'a browser' };

async function signIn(store: Store, memberRef: { accountId: number; memberId: number }) {
  const digest = someDigest();
  const { id } = await must(store, 'panel/sessions/open', { ...memberRef, session: { digest, ...place } });
  return { id, digest };
}

async function somebody(store: Store) {
  const account = await openAccount(store);
  return { account, memberRef: { accountId: account.accountId, memberId: account.owner.id } };
}

export function panelSuite(fixture: () => StoreFixture): void {
  test('a cookie identifies who is signed in, with what they may do now', async () => {
    const { store } = fixture();
    const { account, memberRef } = await somebody(store);
    const person = await account.member();
    const { id, digest } = await signIn(store, { ...memberRef, memberId: person.id });
    const before = await store.actors.bySession(digest);
    await account.grant({ email: person.email }, await account.role('team', ['team_user_admin']));

    const after = await store.actors.bySession(digest);

    const now = store.now();
    assert.deepEqual(before?.session, { id, createTime: now, seenTime: now, freshTime: now });
    assert.deepEqual(
      [before.actor.email, before.ownerEmail, before.operator, before.actor.grants.length],
      [person.email, account.owner.email, false, 0],
    );
    assert.equal(after?.actor.grants.length, 1);
    assert.equal(await store.actors.bySession(someDigest()), undefined);
  });

  test('a session is seen, renewed under another cookie, and ended', async () => {
    const { store, advance } = fixture();
    const { memberRef } = await somebody(store);
    const { accountId } = memberRef;
    const { id, digest } = await signIn(store, memberRef);
    const born = store.now();
    advance(90);
    const renewed = someDigest();

    await must(store, 'panel/sessions/seen', { accountId, id });
    const seen = await store.actors.bySession(digest);
    await must(store, 'panel/sessions/renew', { accountId, id, digest: renewed, instead: digest });
    const fresh = await store.actors.bySession(renewed);

    assert.deepEqual([seen?.session.seenTime, seen?.session.freshTime], [born + 90, born]);
    assert.deepEqual([fresh?.session.id, fresh?.session.freshTime], [id, born + 90]);
    assert.equal(await store.actors.bySession(digest), undefined);
    await must(store, 'panel/sessions/end', { ...memberRef, id });
    assert.equal(await store.actors.bySession(renewed), undefined);
    for (const outcome of [
      await store.change('panel/sessions/end', { ...memberRef, id }),
      await store.change('panel/sessions/renew', { accountId, id, digest, instead: renewed }),
    ])
      assert.deepEqual(outcome, fault('not_found'));
  });

  test('a new sign-in ends the one that the same browser had before', async () => {
    const { store } = fixture();
    const { memberRef } = await somebody(store);
    const { digest: instead } = await signIn(store, memberRef);
    const { digest: elsewhere } = await signIn(store, memberRef);

    const digest = someDigest();
    await must(store, 'panel/sessions/open', { ...memberRef, session: { digest, ...place, instead } });

    assert.equal(await store.actors.bySession(instead), undefined);
    for (const stays of [digest, elsewhere]) assert.ok(await store.actors.bySession(stays));
  });

  test('a session is opened only for an existing member, and by a password only while it is theirs', async () => {
    const { store } = fixture();
    const { account, memberRef } = await somebody(store);
    const person = await account.member();
    await must(store, 'members/remove', { accountId: account.accountId, email: person.email });
    await must(store, 'members/password', { ...memberRef, password: 'new', keep: 0 });
    const session = () => ({ digest: someDigest(), ...place });

    const gone = await store.change('panel/sessions/open', {
      ...memberRef,
      memberId: person.id,
      session: session(),
    });
    const old = await store.change('panel/sessions/open', {
      ...memberRef,
      session: session(),
      password: 'old',
    });
    const right = await store.change('panel/sessions/open', {
      ...memberRef,
      session: session(),
      password: 'new',
    });

    assert.deepEqual([isFault(gone) && gone.fault, old], ['not_found', fault('not_found')]);
    assert.ok(!isFault(right));
  });

  test('a new password ends every other session of the person; signing out everywhere all of them', async () => {
    const { store } = fixture();
    const { account, memberRef } = await somebody(store);
    const colleague = { ...memberRef, memberId: (await account.member()).id };
    const [here, other, theirs] = [
      await signIn(store, memberRef),
      await signIn(store, memberRef),
      await signIn(store, colleague),
    ];

    await must(store, 'members/password', { ...memberRef, password: 'hash', keep: here.id });
    const left = await store.panel.sessions(memberRef);
    await must(store, 'panel/sessions/end-all', memberRef);

    assert.deepEqual(
      left.map(({ id, address, userAgent }) => ({ id, address, userAgent })),
      [{ id: here.id, ...place }],
    );
    assert.deepEqual(await store.panel.sessions(memberRef), []);
    assert.equal(await store.actors.bySession(other.digest), undefined);
    assert.ok(await store.actors.bySession(theirs.digest));
    assert.deepEqual(
      await store.change('members/password', { ...memberRef, memberId: 2 ** 52, password: 'x', keep: 0 }),
      fault('not_found'),
    );
  });

  test('people are found by their address in every account where they have a password, at most eight', async () => {
    const { store } = fixture();
    const accounts = await Promise.all(Array.from({ length: 10 }, () => openAccount(store)));
    const email = accounts[0]!.owner.email;
    const without = await accounts[1]!.member(email);
    for (const { accountId, owner, member } of [accounts[0]!, ...accounts.slice(2)]) {
      const memberId = owner.email === email ? owner.id : (await member(email)).id;
      await must(store, 'members/password', { accountId, memberId, password: 'hash', keep: 0 });
    }

    const found = await store.panel.byEmail(email.toUpperCase());

    assert.equal(found.length, 8);
    assert.deepEqual(found[0], {
      accountId: accounts[0]!.accountId,
      memberId: accounts[0]!.owner.id,
      email,
      ownerEmail: email,
      password: 'hash',
      directory: undefined,
      totp: false,
    });
    assert.ok(found.every(({ memberId }) => memberId !== without.id));
    assert.deepEqual(await store.panel.byEmail('nobody@example.com'), []);
    const { accountId } = accounts[1]!;
    assert.deepEqual(await store.panel.find({ accountId, memberId: without.id }), {
      ...found[0],
      accountId,
      memberId: without.id,
      ownerEmail: accounts[1]!.owner.email,
      password: null,
    });
    assert.equal(await store.panel.find({ accountId, memberId: accounts[0]!.owner.id }), undefined);
  });

  test('a link identifies its person without being used up, and signs in or asks for more in one step', async () => {
    const { store } = fixture();
    const [one, two] = [await openAccount(store), await openAccount(store)];
    const digest = someDigest();
    const step = stepFor({ members: [{ accountId: two.accountId, memberId: two.owner.id }] }, store);

    const looked = await store.panel.byLink(one.signInDigest);
    await must(store, 'members/sign-in', { digest: one.signInDigest, session: { digest, ...place } });
    await must(store, 'members/sign-in', { digest: two.signInDigest, step });

    assert.deepEqual([looked?.accountId, looked?.memberId], [one.accountId, one.owner.id]);
    assert.equal(await store.panel.byLink(one.signInDigest), undefined);
    assert.equal((await store.actors.bySession(digest))?.actor.memberId, one.owner.id);
    assert.deepEqual(await must(store, 'panel/steps/take', { digest: step.digest, kind: 'code' }), {
      members: step.members,
      challenge: '',
    });
  });

  test('expired sessions and steps are swept, others stay', async () => {
    const { store, sql, advance } = fixture();
    const { memberRef } = await somebody(store);
    const [old, step] = [await signIn(store, memberRef), stepFor({}, store)];
    await must(store, 'panel/steps/begin', step);
    advance(301);
    const young = await signIn(store, memberRef);
    const begun = stepFor({}, store);
    await must(store, 'panel/steps/begin', begun);

    await must(store, 'panel/sweep', { seenBefore: store.now() - 300, bornBefore: 0 });
    const left = await store.panel.sessions(memberRef);
    advance(10);
    await must(store, 'panel/sweep', { seenBefore: 0, bornBefore: store.now() });

    assert.deepEqual(
      left.map(({ id }) => id),
      [young.id],
    );
    assert.equal(await store.actors.bySession(old.digest), undefined);
    assert.deepEqual(await store.panel.sessions(memberRef), []);
    assert.deepEqual(
      await sql(`select digest from sign_in_step where digest in ('${step.digest}', '${begun.digest}')`),
      [{ digest: begun.digest }],
    );
  });
}
