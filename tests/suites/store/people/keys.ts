/** Part of the store's suite: API keys and what they may do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { must } from '../../../kit/server/account.ts';
import { newApiKey, openAccount, someDigest, type StoreFixture } from '../fixture.ts';

export function keysSuite(fixture: () => StoreFixture): void {
  test('a key is revoked once, by its holder or by a member who manages all keys, and by nobody else', async () => {
    const { store } = fixture();
    const { accountId, owner, member } = await openAccount(store);
    const ann = await member();
    const key = newApiKey();
    const { id } = await must(store, 'keys/create', { accountId, memberId: ann.id, key });
    const revoke = (memberId: number | 'all') => store.change('keys/revoke', { accountId, memberId, id });

    assert.deepEqual(
      (await store.members.keys(accountId, ann.id)).map((each) => each.id),
      [id],
    );
    assert.deepEqual(await revoke(owner.id), fault('not_found', { field: 'id' }));
    assert.deepEqual(await revoke('all'), {});
    assert.deepEqual(await revoke(ann.id), fault('not_found', { field: 'id' }));
    assert.deepEqual(await store.members.keys(accountId, ann.id), []);
    assert.equal((await store.actors.byKey(key.digest))?.revoked, true);
  });

  test('the last use of a key, its expiry and its networks are stored', async () => {
    const { store } = fixture();
    const { accountId, owner } = await openAccount(store);
    const key = { ...newApiKey(), expireTime: store.now() + 60, networks: ['10.0.0.0/8'] };
    const { id: keyId } = await must(store, 'keys/create', { accountId, memberId: owner.id, key });

    await must(store, 'keys/used', { uses: [{ accountId, keyId, time: store.now() + 5 }] });

    const kept = (await store.members.keys(accountId, 'all')).find((each) => each.id === keyId);
    const holder = await store.actors.byKey(key.digest);
    assert.deepEqual(
      [kept?.lastUsedTime, kept?.expireTime, kept?.prefix],
      [store.now() + 5, key.expireTime, key.prefix],
    );
    assert.deepEqual([holder?.networks, holder?.expireTime], [['10.0.0.0/8'], key.expireTime]);
    assert.equal(await store.actors.byKey(someDigest()), undefined);
  });

  test('what a key may do is what its holder is granted at that moment', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId, owner } = account;
    const ann = await account.member();
    const key = newApiKey();
    await must(store, 'keys/create', { accountId, memberId: ann.id, key });
    const department = await account.department();
    const roleId = await account.role('team', ['team_user_admin']);
    const rights = async () =>
      (await store.actors.byKey(key.digest))?.actor.grants.map((grant) => grant.roleId);

    assert.deepEqual(await rights(), []);
    await account.grant({ departmentId: department }, roleId);
    assert.deepEqual(await rights(), []);
    await account.join(department, ann);
    assert.deepEqual(await rights(), [roleId]);
    await must(store, 'access/remove', {
      accountId,
      by: owner.id,
      holder: { departmentId: department },
      roleId,
    });
    assert.deepEqual(await rights(), []);
    await must(store, 'members/remove', { accountId, email: ann.email });
    assert.equal(await rights(), undefined);
  });
}
