/** Part of the store's suite: the records of attached files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import type { ChangeInput } from '@drawbridge/server/store/changes';
import { must } from '../../../kit/server/account.ts';
import { openAccount, unique, type StoreFixture } from '../fixture.ts';

const someFile = (accountId: number, agentId: number): ChangeInput<'files/add'> => ({
  accountId,
  agentId,
  name: `${unique()}.pdf`,
  size: 5_000_000_000,
  digest: 'ab'.repeat(32),
  type: 'application/pdf',
  note: 'how it works',
  author: 'ann@example.com',
  blobKey: `place-${unique()}`,
});

export function filesSuite(fixture: () => StoreFixture): void {
  test('an attached file is found with its whole record, by its own account alone', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    const file = someFile(accountId, agentId);

    const { id } = await must(store, 'files/add', file);

    const kept = { ...file, id, time: store.now() };
    assert.deepEqual(await store.files.find(accountId, id), kept);
    assert.equal(await store.files.find(other.accountId, id), undefined);
    assert.deepEqual(await store.files.list(accountId, agentId, { offset: 0, limit: 5 }), {
      total: 1,
      files: [kept],
    });
    assert.deepEqual(await store.files.list(other.accountId, agentId, { offset: 0, limit: 5 }), {
      total: 0,
      files: [],
    });
  });

  test('the files of a device are listed oldest first, page by page', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const [{ id: agentId }, { id: otherId }] = [await account.agent(), await account.agent()];
    const added: number[] = [];
    for (let count = 0; count < 3; count++)
      added.push((await must(store, 'files/add', someFile(accountId, agentId))).id);
    await must(store, 'files/add', someFile(accountId, otherId));

    const { total, files } = await store.files.list(accountId, agentId, { offset: 1, limit: 5 });

    assert.deepEqual([total, files.map(({ id }) => id)], [3, added.slice(1)]);
  });

  test('a file is removed once, by its own account, and returns where its bytes are', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const file = someFile(accountId, (await account.agent()).id);
    const { id } = await must(store, 'files/add', file);
    const remove = (from: number) => store.change('files/remove', { accountId: from, id });

    assert.ok(isFault(await remove(other.accountId)));
    assert.deepEqual(await remove(accountId), { blobKey: file.blobKey, agentId: file.agentId });
    assert.ok(isFault(await remove(accountId)));
  });

  test('nothing is attached to a device of another account, or to a missing one', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { id: foreign } = await other.agent();
    for (const agentId of [foreign, 9_007_199_254_740_991]) {
      const refused = await store.change('files/add', someFile(account.accountId, agentId));
      assert.equal(isFault(refused) && refused.fault, 'not_found');
    }
  });

  test('of those who attach at the same moment only as many succeed as the plan allows', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id: agentId } = await account.agent();
    assert.equal(await store.files.remaining(accountId), null);
    await must(store, 'plan/set', { accountId, plan: { files: 3 } });

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => store.change('files/add', someFile(accountId, agentId))),
    );

    assert.equal(outcomes.filter((each) => !isFault(each)).length, 3);
    assert.ok(outcomes.every((each) => !isFault(each) || each.fault === 'plan_exceeded'));
    assert.equal(await store.files.remaining(accountId), 0);
    await must(store, 'plan/set', { accountId, plan: { files: 1 } });
    assert.equal(await store.files.remaining(accountId), -2);
  });

  test('of keys of the blob store, those that a file of the account refers to are returned', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId } = account;
    const [mine, foreign] = [
      someFile(accountId, (await account.agent()).id),
      someFile(other.accountId, (await other.agent()).id),
    ];
    for (const file of [mine, foreign]) await must(store, 'files/add', file);

    assert.deepEqual(
      await store.files.referencedKeys(accountId, [foreign.blobKey, mine.blobKey, 'nowhere']),
      [mine.blobKey],
    );
  });
}
