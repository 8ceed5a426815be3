/**
 * How the list of devices is kept fresh: a few devices by id at once, the whole list from time to time, never
 * two requests at a time.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createDeviceRefresher } from '@drawbridge/web/panel/devices/device-refresher';

function fixture(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const asked: (string | readonly number[])[] = [];
  let [under, most] = [0, 0];
  let answer = Promise.withResolvers<void>();
  const ask = async (what: string | readonly number[]): Promise<void> => {
    asked.push(what);
    most = Math.max(most, (under += 1));
    await answer.promise.finally(() => (under -= 1));
  };
  const refresher = createDeviceRefresher({
    loadSome: ask,
    loadAll: (isForeground) => ask(isForeground ? 'all by hand' : 'all'),
    now: () => Date.now(),
  });
  return {
    asked,
    refresher,
    most: () => most,
    async pass(ms: number) {
      t.mock.timers.tick(ms);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
    async answers(problem?: Error) {
      const before = answer;
      answer = Promise.withResolvers<void>();
      if (problem) before.reject(problem);
      else before.resolve();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}

test('simultaneous changes are fetched once, by their ids', async (t) => {
  const { asked, refresher, pass } = fixture(t);
  refresher.invalidate([1, 2]);
  refresher.invalidate([2, 3]);

  await pass(150);

  assert.deepEqual(asked, [[1, 2, 3]]);
});

test('the whole list is fetched at most every five seconds, and never while another request is pending', async (t) => {
  const { asked, refresher, pass, answers, most } = fixture(t);
  void refresher.reload(true);
  await pass(0);
  refresher.invalidate(undefined);
  refresher.invalidate([7]);
  await pass(1_000);
  assert.deepEqual(asked, ['all by hand']);

  await answers();
  await pass(2_000);
  assert.deepEqual(asked, ['all by hand', [7]]);
  await answers();
  await pass(1_900);
  assert.deepEqual(asked.length, 2);
  await pass(100);

  assert.deepEqual(asked, ['all by hand', [7], 'all']);
  assert.equal(most(), 1);
});

test('too many changes are fetched as the whole list', async (t) => {
  const { asked, refresher, pass } = fixture(t);
  refresher.invalidate(Array.from({ length: 150 }, (_, at) => at + 1));
  refresher.invalidate(Array.from({ length: 60 }, (_, at) => at + 1_000));

  await pass(150);

  assert.deepEqual(asked, ['all']);
});

test('what changes during a fetch is fetched once more', async (t) => {
  const { asked, refresher, pass, answers } = fixture(t);
  refresher.invalidate([1]);
  await pass(150);
  refresher.invalidate([1]);
  await answers();
  await pass(250);

  assert.deepEqual(asked, [[1], [1]]);
});

test('a failed request is retried after a delay, and none is sent after the page is gone', async (t) => {
  const { asked, refresher, pass, answers } = fixture(t);
  refresher.invalidate([1]);
  await pass(150);
  await answers(new Error('no'));
  await pass(5_000);
  assert.deepEqual(asked, [[1], 'all']);

  refresher.close();
  await answers(new Error('no'));
  refresher.invalidate([2]);
  await pass(60_000);

  assert.equal(asked.length, 2);
});
