/** Tests of the semaphore. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSemaphore } from './semaphore.ts';

test('the limit is never exceeded, each release admits one, and a second release has no effect', async () => {
  const semaphore = createSemaphore(2);
  const inside: string[] = [];
  const enter = async (name: string): Promise<() => void> => {
    const leave = await semaphore.acquire();
    inside.push(name);
    return leave;
  };
  const [first] = await Promise.all([enter('a'), enter('b')]);
  const later = ['c', 'd', 'e'].map(enter);
  await Promise.resolve();
  assert.deepEqual(inside, ['a', 'b']);

  first();
  first();
  const third = await later[0]!;
  assert.deepEqual(inside, ['a', 'b', 'c']);

  third();
  (await later[1]!)();
  await later[2]!;
  assert.deepEqual(inside, ['a', 'b', 'c', 'd', 'e']);
});
