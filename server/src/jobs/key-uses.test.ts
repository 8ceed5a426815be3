/** Uses of keys are stored once, and none is lost when the store fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeInput } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import { createKeyUses } from './key-uses.ts';

/** A store that fails the given number of times. */
function createFakeStore(failures: number, meanwhile: () => void = () => {}) {
  const written: ChangeInput<'keys/used'>['uses'][] = [];
  const change = async (_name: string, { uses }: ChangeInput<'keys/used'>): Promise<object> => {
    meanwhile();
    if (failures-- > 0) throw new Error('the disk is full');
    written.push(uses);
    return {};
  };
  return { written, store: { change } as unknown as Pick<Store, 'change'> };
}

test('the last use of each key is stored once', async () => {
  const { written, store } = createFakeStore(0);
  const uses = createKeyUses(store);
  for (const [key, time] of [
    [1, 10],
    [2, 11],
    [1, 12],
  ] as const)
    uses.note(7, key, time);

  await uses.write();
  await uses.write();

  assert.deepEqual(written, [
    [
      { accountId: 7, keyId: 1, time: 12 },
      { accountId: 7, keyId: 2, time: 11 },
    ],
  ]);
});

test('uses that could not be stored are stored the next time, unless there are later ones', async () => {
  const later = (): void => uses.note(7, 2, 20);
  const { written, store } = createFakeStore(1, later);
  const uses = createKeyUses(store);
  uses.note(7, 1, 10);
  uses.note(7, 2, 11);

  await assert.rejects(uses.write(), /the disk is full/);
  await uses.write();

  assert.deepEqual(
    written.flat().toSorted((one, other) => one.keyId - other.keyId),
    [
      { accountId: 7, keyId: 1, time: 10 },
      { accountId: 7, keyId: 2, time: 20 },
    ],
  );
});
