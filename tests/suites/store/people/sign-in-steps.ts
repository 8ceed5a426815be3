/** Part of the store's suite: sign-in steps, which are completed once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, isFault } from '@drawbridge/contract/faults';
import type { NewSignInStep } from '@drawbridge/server/store/changes';
import type { Store } from '@drawbridge/server/store/store';
import { must } from '../../../kit/server/account.ts';
import { openAccount, someDigest, type StoreFixture } from '../fixture.ts';

export const stepFor = (given: Partial<NewSignInStep>, store: Store): NewSignInStep => ({
  digest: someDigest(),
  kind: 'code',
  members: [],
  challenge: '',
  tries: 5,
  expireTime: store.now() + 300,
  ...given,
});

export function stepsSuite(fixture: () => StoreFixture): void {
  test('a step is completed once by one of many, for its own purpose, and in time', async () => {
    const { store, advance } = fixture();
    const { accountId, owner } = await openAccount(store);
    const memberRef = { accountId, memberId: owner.id };
    const [step, late] = [stepFor({ members: [memberRef], challenge: 'c' }, store), stepFor({}, store)];
    for (const each of [step, late]) await must(store, 'panel/steps/begin', each);
    const { digest } = step;

    const wrong = await store.change('panel/steps/take', { digest, kind: 'account' });
    const taken = await Promise.all(
      Array.from({ length: 20 }, () => store.change('panel/steps/take', { digest, kind: 'code' })),
    );
    advance(300);

    assert.deepEqual(wrong, fault('not_found'));
    assert.deepEqual(
      taken.filter((each) => !isFault(each)),
      [{ members: [memberRef], challenge: 'c' }],
    );
    assert.deepEqual(
      await store.change('panel/steps/take', { digest: late.digest, kind: 'code' }),
      fault('not_found'),
    );
  });

  test('a step allows a limited number of attempts, also when they come at the same moment', async () => {
    const { store } = fixture();
    const step = stepFor({ tries: 5 }, store);
    await must(store, 'panel/steps/begin', step);

    const tried = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.change('panel/steps/try', { digest: step.digest, kind: 'code' }),
      ),
    );

    assert.equal(tried.filter((each) => !isFault(each)).length, 5);
  });
}
