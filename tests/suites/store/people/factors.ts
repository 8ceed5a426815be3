/** Part of the store's suite: second factors and passkeys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { ChangeInput, ChangeName } from '@drawbridge/server/store/changes';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreAccount, type StoreFixture } from '../fixture.ts';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** A person with an authenticator app that was confirmed in step 100, and recovery codes. */
async function withApp(
  { store }: StoreFixture,
  { accountId, owner }: StoreAccount,
  recovery = [someDigest()],
) {
  const memberRef = { accountId, memberId: owner.id };
  await must(store, 'factors/totp/begin', { ...memberRef, secret });
  await must(store, 'factors/totp/confirm', { ...memberRef, secret, step: 100, recovery });
  return memberRef;
}

const somePasskey = (given: Partial<ChangeInput<'factors/passkey/add'>> = {}) => ({
  credential: unique(),
  publicKey: 'cose',
  counter: 5,
  transports: ['usb', 'internal'],
  name: 'my key',
  ...given,
});

/** The same, eight times. */
const eight = <Each>(each: Each): Each[] => Array.from({ length: 8 }, () => each);

/** How many of several that run at the same moment were not refused. */
async function wins<Name extends ChangeName>(
  { store }: StoreFixture,
  name: Name,
  inputs: ChangeInput<Name>[],
) {
  const outcomes = await Promise.all(inputs.map((input) => store.change(name, input)));
  return outcomes.filter((outcome) => !isFault(outcome)).length;
}

export function factorsSuite(fixture: () => StoreFixture): void {
  test('an authenticator app is active once a code of it was given, and then cannot be replaced', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);
    const memberRef = { accountId, memberId: owner.id };

    assert.equal(await store.factors.totp(memberRef), undefined);
    await must(store, 'factors/totp/begin', { ...memberRef, secret: 'first' });
    await must(store, 'factors/totp/begin', { ...memberRef, secret });
    assert.deepEqual(await store.factors.totp(memberRef), { secret, confirmed: false });
    assert.ok(isFault(await store.change('factors/totp/use', { ...memberRef, step: 100 })));
    const confirm = { ...memberRef, step: 100, recovery: [] };
    assert.ok(isFault(await store.change('factors/totp/confirm', { ...confirm, secret: 'first' })));
    await must(store, 'factors/totp/confirm', { ...confirm, secret });
    assert.deepEqual(await store.factors.totp(memberRef), { secret, confirmed: true });
    const again = await store.change('factors/totp/begin', { ...memberRef, secret: 'other' });
    assert.equal(isFault(again) && again.code, 'totp_on');
  });

  test('a code works once, also when it is given twice at the same moment, and an older one not after it', async () => {
    const memberRef = await withApp(fixture(), await openAccount(fixture().store));
    const { store } = fixture();

    assert.ok(isFault(await store.change('factors/totp/use', { ...memberRef, step: 100 })));
    for (let step = 102; step < 112; step++)
      assert.equal(await wins(fixture(), 'factors/totp/use', eight({ ...memberRef, step })), 1);
    assert.ok(isFault(await store.change('factors/totp/use', { ...memberRef, step: 101 })));
  });

  test('a recovery code works once, also when it is given twice at the same moment', async () => {
    const codes = Array.from({ length: 10 }, someDigest);
    const memberRef = await withApp(fixture(), await openAccount(fixture().store), codes);
    const { store } = fixture();

    for (const digest of codes.slice(0, 9))
      assert.equal(await wins(fixture(), 'factors/recovery/use', eight({ ...memberRef, digest })), 1);
    assert.equal((await store.panel.factors(memberRef)).recoveryLeft, 1);
    await must(store, 'factors/recovery/renew', { ...memberRef, recovery: [someDigest(), someDigest()] });
    assert.equal((await store.panel.factors(memberRef)).recoveryLeft, 2);
    const old = await store.change('factors/recovery/use', { ...memberRef, digest: codes[9]! });
    assert.deepEqual(old, fault('not_found'));
  });

  test('without the app its recovery codes are gone, and no new ones can be created', async () => {
    const { store } = fixture();
    const memberRef = await withApp(fixture(), await openAccount(store));

    await must(store, 'factors/totp/remove', memberRef);
    assert.equal((await store.panel.factors(memberRef)).recoveryLeft, 0);
    assert.ok(isFault(await store.change('factors/totp/remove', memberRef)));
    assert.ok(
      isFault(await store.change('factors/recovery/renew', { ...memberRef, recovery: [someDigest()] })),
    );
  });

  test('a passkey is found by its own id, belongs to one person, and nobody can have more than twenty', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);
    const other = await openAccount(store);
    const memberRef = { accountId, memberId: owner.id };
    const passkey = somePasskey();
    const { id } = await must(store, 'factors/passkey/add', { ...memberRef, ...passkey });

    const times = { createTime: store.now(), lastUsedTime: null };
    assert.deepEqual(await store.factors.passkeys(memberRef), [{ ...memberRef, ...passkey, id, ...times }]);
    assert.equal((await store.factors.passkey(passkey.credential))?.memberId, owner.id);
    assert.equal(await store.factors.passkey('another'), undefined);
    const elsewhere = { accountId: other.accountId, memberId: other.owner.id };
    const taken = await store.change('factors/passkey/add', { ...elsewhere, ...passkey });
    assert.equal(isFault(taken) && taken.code, 'passkey_known');
    const more = Array.from({ length: 25 }, () => ({ ...memberRef, ...somePasskey() }));
    assert.equal(await wins(fixture(), 'factors/passkey/add', more), 19);
  });

  test('a passkey counts up and never down, and once at the same moment; one without a counter stays at zero', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);
    const memberRef = { accountId, memberId: owner.id };
    const { id } = await must(store, 'factors/passkey/add', { ...memberRef, ...somePasskey() });
    const { id: still } = await must(store, 'factors/passkey/add', {
      ...memberRef,
      ...somePasskey({ counter: 0 }),
    });
    const used = (key: number, counter: number) => ({ accountId, id: key, counter });

    assert.equal(await wins(fixture(), 'factors/passkey/used', eight(used(id, 6))), 1);
    for (const counter of [6, 5, 0])
      assert.deepEqual(await store.change('factors/passkey/used', used(id, counter)), fault('not_found'));
    await must(store, 'factors/passkey/used', used(still, 0));
    await must(store, 'factors/passkey/used', used(still, 0));
    const [first] = await store.factors.passkeys(memberRef);
    assert.deepEqual([first?.counter, first?.lastUsedTime], [6, store.now()]);
  });

  test('the only means of signing in cannot be removed: of two passkeys without a password one stays, in any order', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const memberRef = { accountId: account.accountId, memberId: account.owner.id };
    const keys = [
      await must(store, 'factors/passkey/add', { ...memberRef, ...somePasskey() }),
      await must(store, 'factors/passkey/add', { ...memberRef, ...somePasskey() }),
    ];

    assert.equal(
      await wins(
        fixture(),
        'factors/passkey/remove',
        keys.map(({ id }) => ({ ...memberRef, id })),
      ),
      1,
    );
    const [left] = await store.factors.passkeys(memberRef);
    const last = await store.change('factors/passkey/remove', { ...memberRef, id: left!.id });
    assert.equal(isFault(last) && last.code, 'last_way_in');
    const outsider = await account.member();
    const theirs = { ...memberRef, memberId: outsider.id, id: left!.id };
    assert.equal(isFault(await store.change('factors/passkey/remove', theirs)), true);
    await must(store, 'members/password', { ...memberRef, password: 'hash', keep: 0 });
    await must(store, 'factors/passkey/remove', { ...memberRef, id: left!.id });
    assert.deepEqual(await store.factors.passkeys(memberRef), []);
  });

  test('a person who lost everything starts without app, codes and passkeys', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const memberRef = await withApp(fixture(), account);
    await must(store, 'factors/passkey/add', { ...memberRef, ...somePasskey() });
    const link = () => ({ digest: someDigest(), expireTime: store.now() + 60 });
    const reset = { accountId: account.accountId, email: account.owner.email };

    await must(store, 'members/reset', { ...reset, link: link(), forget: false });
    assert.equal((await store.panel.factors(memberRef)).passkeys, 1);
    await must(store, 'members/reset', { ...reset, link: link(), forget: true });
    assert.deepEqual(await store.panel.factors(memberRef), {
      password: false,
      directory: false,
      totp: false,
      passkeys: 0,
      recoveryLeft: 0,
    });
  });
}
