/** Long work that many callers request at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from './coalesce.ts';

function open() {
  const runs: { key: string; end: (result: number) => void; fail: (error: Error) => void }[] = [];
  const ask = coalesce((key: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    runs.push({ key, end: resolve, fail: reject });
    return promise;
  });
  return { runs, ask };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('calls during a run share one run that begins afterwards', async () => {
  const { runs, ask } = open();
  const first = ask('a');
  const others = [ask('a'), ask('a'), ask('a')];
  assert.equal(runs.length, 1);

  runs[0]!.end(1);
  assert.equal(await first, 1);
  await turn();
  assert.equal(runs.length, 2);
  const late = ask('a');
  runs[1]!.end(2);

  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await turn();
  runs[2]!.end(3);
  assert.equal(await late, 3);
});

test('keys do not wait for one another', () => {
  const { runs, ask } = open();
  void ask('a');
  void ask('b');

  assert.deepEqual(
    runs.map(({ key }) => key),
    ['a', 'b'],
  );
});

test('a failed run fails for the callers that share it, not for later ones', async () => {
  const { runs, ask } = open();
  const first = ask('a');
  const second = ask('a');
  runs[0]!.fail(new Error('the disk is gone'));

  await assert.rejects(first, /the disk is gone/);
  await turn();
  runs[1]!.end(7);
  assert.equal(await second, 7);
  await turn();
  const third = ask('a');
  runs[2]!.end(8);
  assert.equal(await third, 8);
});
