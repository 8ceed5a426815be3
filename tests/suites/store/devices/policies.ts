/** Part of the store's suite: policies of account, group and device. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy } from '@drawbridge/contract/policy';
import { must } from '../../../kit/server/account.ts';
import { openAccount, type StoreFixture } from '../fixture.ts';

export function policiesSuite(fixture: () => StoreFixture): void {
  test('for each setting the nearest of device, group and account decides, and devices receive that', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const groupId = await account.group();
    const [{ id }, { id: alone }] = [await account.agent({ groupId }), await account.agent()];
    const of = async (agent: number) => (await store.policies.ofAgents(accountId, [agent]))[0]?.policy;
    assert.deepEqual([await of(id), await of(alone)], [defaultPolicy, defaultPolicy]);

    await must(store, 'accounts/settings', { accountId, policy: { terminal: 'off', files: 'off' } });
    await must(store, 'groups/policy', {
      accountId,
      id: groupId,
      policy: { files: 'both', idle_timeout: '15m' },
    });
    await must(store, 'agents/policy', {
      accountId,
      id,
      policy: { files: 'from_device', idle_timeout: 'inherit' },
    });

    assert.deepEqual(await of(alone), { ...defaultPolicy, terminal: 'off', files: 'off' });
    const all = { ...defaultPolicy, terminal: 'off', files: 'from_device', idle_timeout: '15m' };
    assert.deepEqual(await of(id), all);
    assert.deepEqual((await account.agentOf(id))?.policies, {
      account: { files: 'off', terminal: 'off' },
      group: { files: 'both', idle_timeout: '15m' },
      device: { files: 'from_device' },
    });
    await must(store, 'agents/policy', { accountId, id, policy: { files: 'inherit' } });
    assert.deepEqual(await of(id), { ...all, files: 'both' });
  });

  test('the number of a policy rises with everything that can change the policy of a device', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { accountId, owner } = account;
    const groupId = await account.group();
    const { id } = await account.agent();
    const version = async () => (await store.policies.versions([accountId])).get(accountId)!;
    const theirs = await store.policies.versions([other.accountId]);
    const changes = [
      () => must(store, 'accounts/settings', { accountId, policy: { terminal: 'off' } }),
      () => must(store, 'agents/move', { accountId, by: owner.id, id, groupId }),
      () => must(store, 'groups/policy', { accountId, id: groupId, policy: { files: 'off' } }),
      () => must(store, 'agents/policy', { accountId, id, policy: { files: 'both' } }),
      () => must(store, 'groups/remove', { accountId, id: groupId }),
    ];

    for (const change of changes) {
      const before = await version();
      await change();
      assert.equal(await version(), before + 1);
    }
    const [received] = await store.policies.ofAgents(accountId, [id]);
    assert.equal(received?.number, await version());
    await must(store, 'accounts/settings', { accountId, record: true });
    assert.equal(await version(), received.number);
    assert.deepEqual(await store.policies.versions([other.accountId]), theirs);
    assert.deepEqual(await store.policies.ofAgents(other.accountId, [id]), []);
  });

  test('of changes of one policy at the same time, none is lost', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const { accountId } = account;
    const { id } = await account.agent();

    await Promise.all([
      must(store, 'agents/policy', { accountId, id, policy: { terminal: 'off' } }),
      must(store, 'agents/policy', { accountId, id, policy: { files: 'off' } }),
      must(store, 'agents/policy', { accountId, id, policy: { clipboard: 'off' } }),
      must(store, 'accounts/settings', { accountId, policy: { direct: 'off' } }),
      must(store, 'accounts/settings', { accountId, policy: { confirm: 'ask' } }),
    ]);

    const { account: ofAccount, device } = (await account.agentOf(id))!.policies;
    assert.deepEqual(device, { clipboard: 'off', files: 'off', terminal: 'off' });
    assert.deepEqual(ofAccount, { confirm: 'ask', direct: 'off' });
  });
}
