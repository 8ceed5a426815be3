/** Part of the store's suite: names of people, first steps, and the order of accounts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault } from '@drawbridge/contract/faults';
import { newAccount } from '@drawbridge/server/compose/create-account';
import { random } from '@drawbridge/server/edges/random';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, unique, type StoreFixture } from '../fixture.ts';

const page = { offset: 0, limit: 100 };

export function namesSuite(fixture: () => StoreFixture): void {
  test('a person gives themselves a name, which is found by their address and only in their account', async () => {
    const { store } = fixture();
    const [account, outsider] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const ann = await account.member();
    const { email } = (await store.members.list(accountId, page)).members.find(({ id }) => id === ann.id)!;
    assert.equal((await store.members.find(accountId, email))?.name, '');

    await must(store, 'members/name', { accountId, memberId: ann.id, name: 'Ann Smith' });

    assert.equal((await store.members.find(accountId, email))?.name, 'Ann Smith');
    assert.deepEqual(
      await store.members.names(accountId, [email.toUpperCase(), owner.email, 'x@example.com']),
      [{ email, name: 'Ann Smith' }],
    );
    assert.deepEqual(await store.members.names(accountId, []), []);
    assert.deepEqual(await store.members.names(outsider.accountId, [email]), []);
    const stranger = { accountId: outsider.accountId, memberId: ann.id, name: 'Mine' };
    assert.deepEqual(await store.change('members/name', stranger), fault('not_found'));
    await must(store, 'members/name', { accountId, memberId: ann.id, name: '' });
    assert.deepEqual(await store.members.names(accountId, [email]), []);
  });

  test('the first steps of an account are done one by one', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const steps = () => store.accounts.firstSteps(account.accountId);
    assert.deepEqual(await steps(), { device: false, client: false, technician: false });

    await account.invitation();
    assert.deepEqual(await steps(), { device: false, client: true, technician: false });
    await account.member();

    assert.deepEqual(await steps(), { device: false, client: true, technician: true });
  });

  test('the accounts of the server are sorted over all pages', async () => {
    const { store } = fixture();
    const mark = unique();
    const accounts = await Promise.all(
      ['b', 'c', 'a'].map((letter) => openNamed(`${mark}-${letter}@example.com`)),
    );
    await accounts[1]!.member();
    async function openNamed(email: string) {
      const made = newAccount(random, email, 'https://localhost', store.now());
      const { accountId } = await must(store, 'accounts/create', made.input);
      const link = { digest: someDigest(), expireTime: store.now() + 600 };
      const member = () =>
        must(store, 'members/invite', { accountId, email: `x-${unique()}@example.com`, link });
      return { accountId, member };
    }
    const order = async (sort: 'owner' | 'members' | 'devices' | 'since', descending: boolean) => {
      const filter = { search: mark, sort, descending, limit: 2, now: store.now() };
      const pages = [
        await store.accounts.listUsage({ ...filter, offset: 0 }),
        await store.accounts.listUsage({ ...filter, offset: 2 }),
      ];
      return pages.flatMap((each) => each.accounts.map(({ owner }) => owner.at(mark.length + 1))).join('');
    };

    assert.deepEqual([await order('owner', false), await order('owner', true)], ['abc', 'cba']);
    assert.equal((await order('members', true))[0], 'c');
    for (const sort of ['devices', 'since'] as const) assert.equal((await order(sort, true)).length, 3);
  });
}
