/** Part of the store's suite: what people subscribe to, and what is mailed to them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { maxSubscriptions } from '@drawbridge/server/domain/notifications/notifications';
import { must } from '../../../kit/server/account.ts';
import { openAccount, type StoreFixture, type StorePerson } from '../fixture.ts';
import { notificationFixture, refOf } from './notification-fixture.ts';

export function subscriptionsSuite(fixture: () => StoreFixture): void {
  const { subscribe } = notificationFixture(fixture);

  test('a person has one subscription for each device and group, up to a limit', async () => {
    const { store } = fixture();
    const [account, other] = [await openAccount(store), await openAccount(store)];
    const { id: agentId } = await account.agent({ name: 'Till' });
    const groupId = await account.group('Shop');
    const owner = refOf(account, account.owner);
    const { id } = await subscribe(account, account.owner, ['offline'], { agentId });
    await subscribe(account, account.owner, ['offline', 'new_device'], { groupId, minutes: 9 });
    const again = await subscribe(account, account.owner, ['back'], { agentId });

    const found = await store.notifications.subscriptions(owner);
    const foreign = await store.change('notifications/subscribe', {
      ...refOf(other, other.owner),
      agentId,
      groupId: null,
      kinds: [],
      minutes: 5,
    });
    for (let count = 2; count < maxSubscriptions; count++)
      await subscribe(account, account.owner, [], { groupId: await account.group() });
    const beyond = await store.change('notifications/subscribe', {
      ...owner,
      agentId: null,
      groupId: null,
      kinds: [],
      minutes: 5,
    });

    assert.equal(again.id, id);
    assert.deepEqual(
      found.map(({ name, kinds, minutes }) => [name, kinds, minutes]),
      [
        ['Till', ['back'], 5],
        ['Shop', ['offline', 'new_device'], 9],
      ],
    );
    assert.ok(isFault(foreign) && foreign.fault === 'not_found');
    assert.ok(isFault(beyond) && beyond.fault === 'invalid');
    assert.equal((await subscribe(account, account.owner, ['back'], { agentId })).id, id);
  });

  test('only its own person ends a subscription, and chooses what is mailed', async () => {
    const { store } = fixture();
    const account = await openAccount(store);
    const ann = await account.member();
    const { id } = await subscribe(account, account.owner, ['offline']);
    const end = (person: StorePerson) =>
      store.change('notifications/unsubscribe', { ...refOf(account, person), id });

    const byAnn = await end(ann);
    await must(store, 'notifications/settings', { ...refOf(account, ann), mail: ['back'] });
    await must(store, 'notifications/settings', { ...refOf(account, ann), mail: ['offline'] });

    assert.ok(isFault(byAnn));
    assert.ok(!isFault(await end(account.owner)));
    assert.deepEqual(await store.notifications.mailKinds(refOf(account, ann)), ['offline']);
    assert.equal(await store.notifications.mailKinds(refOf(account, account.owner)), undefined);
  });
}
