/** Tests how many directories are read at the same time because people ask. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { createReadLimiter } from './read-limiter.ts';

test('one directory of an account and a few in total are read at the same time; some wait, and the rest is refused', async () => {
  const limit = createReadLimiter({ concurrency: 2, perAccount: 3, accounts: 1 });
  const running: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const begin = (accountId: number, name: string): Promise<unknown> => {
    ends.set(name, Promise.withResolvers());
    return limit(accountId, () => {
      running.push(name);
      return ends.get(name)!.promise;
    }).then(
      (result) => (isFault(result) ? result.code : result),
      (error: Error) => error.message,
    );
  };

  const ofOne = [begin(1, 'a1'), begin(1, 'a2'), begin(1, 'a3'), begin(1, 'a4')];
  const others = [begin(2, 'b'), begin(3, 'c'), begin(4, 'd')];
  await setImmediate();
  const atFirst = [...running];
  ends.get('b')!.reject(new Error('broken'));
  await setImmediate();
  const then = [...running];
  for (const name of ['a1', 'a2', 'a3', 'c']) ends.get(name)!.resolve('read');
  const results = [await Promise.all(ofOne), await Promise.all(others)];

  assert.deepEqual(
    [atFirst, then],
    [
      ['a1', 'b'],
      ['a1', 'b', 'c'],
    ],
  );
  assert.deepEqual(results, [
    ['read', 'read', 'read', 'too_many_reads'],
    ['broken', 'read', 'too_many_reads'],
  ]);
});
