/**
 * How often the pages send requests: never two at a time, the less often the longer responses take, and the
 * newest response is always shown.
 */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createRefreshScheduler } from '@drawbridge/web/panel/refresh-scheduler';
import { createRefreshableResource } from '@drawbridge/web/panel/refreshable-resource';
import { PanelApiError } from '@drawbridge/web/panel/panel-api-error';

/** A server that answers when the test says so, and a fake clock. */
function fixture(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let [asked, open, most] = [0, 0, 0];
  let answer = Promise.withResolvers<number>();
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    now: () => Date.now(),
    /** Answers with its number. */
    async refresh(): Promise<number> {
      asked += 1;
      most = Math.max(most, (open += 1));
      return answer.promise.finally(() => (open -= 1));
    },
    asked: () => asked,
    most: () => most,
    async pass(ms: number) {
      t.mock.timers.tick(ms);
      await settle();
    },
    async answers(problem?: Error) {
      const before = answer;
      answer = Promise.withResolvers();
      if (problem) before.reject(problem);
      else before.resolve(asked);
      await settle();
    },
  };
}

function scheduling(t: TestContext, minPauseMs?: number) {
  const it = fixture(t);
  const refresh = async (): Promise<void> => void (await it.refresh());
  return {
    ...it,
    scheduler: createRefreshScheduler({
      refresh,
      now: it.now,
      ...(minPauseMs !== undefined && { minPauseMs }),
    }),
  };
}

test('simultaneous changes are fetched once, soon after the first', async (t) => {
  const { scheduler, pass, asked } = scheduling(t);
  scheduler.schedule();
  await pass(100);
  scheduler.schedule();
  assert.equal(asked(), 0);

  await pass(50);
  await pass(1_000);

  assert.equal(asked(), 1);
});

test('however many changes arrive during a request, two requests are sent, one after the other', async (t) => {
  const { scheduler, pass, answers, asked, most } = scheduling(t);
  void scheduler.runNow();
  for (let hint = 0; hint < 60; hint++) {
    scheduler.schedule();
    await pass(100);
  }
  assert.equal(asked(), 1);

  await answers();
  await pass(60_000);
  await answers();
  await pass(60_000);

  assert.deepEqual([asked(), most()], [2, 1]);
});

test('the delay after a response grows with the time it took, up to a limit', async (t) => {
  const { scheduler, pass, answers, asked } = scheduling(t);
  for (const [took, rest] of [
    [0, 250],
    [600, 1_200],
    [5_000, 10_000],
    [60_000, 30_000],
  ] as const) {
    void scheduler.runNow();
    const before = asked();
    await pass(took);
    await answers();
    scheduler.schedule();
    await pass(rest - 1);
    assert.equal(asked(), before, `${took} ms`);
    await pass(1);
    assert.equal(asked(), before + 1, `${took} ms`);
    await answers();
  }
});

test('the delay is longer for expensive requests, but a manual refresh does not wait for it', async (t) => {
  const { scheduler, pass, answers, asked } = scheduling(t, 5_000);
  void scheduler.runNow();
  await answers();
  scheduler.schedule();
  await pass(4_900);
  assert.equal(asked(), 1);

  void scheduler.runNow();

  assert.equal(asked(), 2);
});

test('a manual refresh during a request gets the response of the next one', async (t) => {
  const { scheduler, answers, asked } = scheduling(t);
  void scheduler.runNow();
  let isTold = false;
  void scheduler.runNow().then(() => (isTold = true));
  await answers();
  assert.deepEqual([asked(), isTold], [2, false]);

  await answers();

  assert.equal(isTold, true);
});

test('after a failed request the delay is longer, and after the page is gone nothing is sent', async (t) => {
  const { scheduler, pass, answers, asked } = scheduling(t);
  void scheduler.runNow();
  await answers(new Error('no'));
  scheduler.schedule();
  await pass(4_999);
  assert.equal(asked(), 1);
  await pass(1);
  assert.equal(asked(), 2);

  scheduler.schedule();
  const given = scheduler.runNow();
  scheduler.close();
  await given;
  await answers();
  await pass(60_000);
  await scheduler.runNow();

  assert.equal(asked(), 2);
});

test('while changes keep arriving and responses are slow, the page shows the newest response, not that it loads', async (t) => {
  const { refresh, now, pass, answers, asked, most } = fixture(t);
  const slowly = (): Promise<number> => {
    setTimeout(() => void answers(), 600);
    return refresh();
  };
  const resource = createRefreshableResource(slowly, { now });
  const shown: (number | undefined)[] = [];
  for (let hint = 1; hint <= 150; hint++) {
    resource.invalidate();
    await pass(100);
    if (hint % 30 === 0) shown.push(resource.value.value);
  }

  assert.deepEqual([most(), shown.every((value, at) => value! > (shown[at - 1] ?? 0))], [1, true]);
  assert.ok(asked() <= 10, `asked ${asked()} times in 15 seconds`);
});

test('a request without a response is retried automatically, a refused one is not', async (t) => {
  const { refresh, now, pass, answers, asked } = fixture(t);
  const resource = createRefreshableResource(refresh, { now });
  await answers(new PanelApiError('unexpected', 502));
  assert.match(String(resource.error.value), /gave an unexpected answer \(502\)/);
  await pass(5_000);
  await answers();
  assert.deepEqual([asked(), resource.error.value, resource.value.value], [2, undefined, 2]);

  resource.invalidate();
  await pass(1_000);
  await answers(new PanelApiError('forbidden', 403, { message: 'no' }));
  await pass(60_000);

  assert.deepEqual([asked(), resource.value.value], [3, 2]);
});
