/** Part of the store's suite: where the pictures of brands are stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

export function picturesSuite(fixture: () => StoreFixture): void {
  test('a picture is in the row, in the blob store or in both, and names the blob that it replaces', async () => {
    const { store } = fixture();
    const [{ accountId }, other] = [await openAccount(store), await openAccount(store)];
    const [digest, unknown] = [someDigest(), someDigest()];
    const stored = { logo: '', blobKey: `blob ${digest}`, size: 7 };
    const logo = Buffer.from('picture').toString('base64');
    const inRow = { logo, blobKey: '', size: 0 };
    const place = (before: string, input: typeof stored, of = digest) =>
      must(store, 'brands/place-logo', { accountId, digest: of, before, ...input });
    const places = async () => {
      const [inDatabase, onlyStored] = [await store.brands.inDatabase(), await store.brands.onlyStored()];
      return [inDatabase.includes(accountId), onlyStored.includes(accountId)];
    };
    const referenced = (id: number) => store.brands.referencedKeys(id, [stored.blobKey, 'another']);

    assert.equal(await store.brands.mayLeaveDatabase(), true);
    assert.deepEqual(await places(), [false, false]);
    const first = await must(store, 'brands/logo', { accountId, type: 'image/png', digest, ...inRow });
    assert.deepEqual([first.replaced, await places()], ['', [true, false]]);
    await place('', stored, unknown);
    await place('replaced meanwhile', stored);
    assert.deepEqual([await places(), await referenced(accountId)], [[true, false], []]);
    await place('', { ...stored, logo });
    assert.deepEqual([await places(), await referenced(accountId)], [[true, false], [stored.blobKey]]);
    await place(stored.blobKey, stored);

    assert.deepEqual(await places(), [false, true]);
    assert.deepEqual(await referenced(other.accountId), []);
    const { bytes, ...found } = (await store.brands.logoOf(accountId))!;
    const { blobKey, size } = stored;
    assert.deepEqual([found, bytes.length], [{ accountId, type: 'image/png', digest, blobKey, size }, 0]);
    assert.equal(await store.brands.logoOf(other.accountId), undefined);
    const second = await must(store, 'brands/logo', { accountId, type: 'image/png', digest, ...inRow });
    await place('', stored);
    const removed = await must(store, 'brands/remove-logo', { accountId });
    assert.deepEqual([second.replaced, removed.replaced], [stored.blobKey, stored.blobKey]);
    assert.deepEqual([await referenced(accountId), await places()], [[], [false, false]]);
  });

  test('of accounts with the same picture, one whose copy is in the database is found', async () => {
    const { store } = fixture();
    const digest = someDigest();
    const accounts = [await openAccount(store), await openAccount(store), await openAccount(store)];
    for (const [index, { accountId }] of accounts.entries()) {
      const place =
        index === 1
          ? { logo: Buffer.from('picture').toString('base64'), blobKey: '', size: 0 }
          : { logo: '', blobKey: `blob ${index} ${digest}`, size: 7 };
      await must(store, 'brands/logo', { accountId, type: 'image/png', digest, ...place });
    }

    assert.equal((await store.brands.logo(digest))?.accountId, accounts[1]!.accountId);
  });
}
