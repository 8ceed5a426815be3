/** What is started again after Mutter has ended it, and what is not. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { keepStarted, restartDelayMs } from './keep-started.ts';

async function passDelay(t: TestContext): Promise<void> {
  t.mock.timers.tick(restartDelayMs);
  await setImmediate();
}

test('what Mutter ends is started again until it is ended for good', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const events: string[] = [];
  let close = (): void => {};
  const end = await keepStarted(async (onClosed) => {
    events.push('start');
    close = onClosed;
    return () => void events.push('end');
  });
  close();
  await passDelay(t);
  end();
  close();
  await passDelay(t);

  assert.deepEqual(events, ['start', 'start', 'end']);
});

test('what Mutter ends during a first start that fails is not started again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let [starts, close] = [0, (): void => {}];
  const kept = keepStarted(async (onClosed) => {
    starts += 1;
    close = onClosed;
    onClosed();
    throw new Error('The screen is locked.');
  });
  await assert.rejects(kept, /locked/);
  close();
  await passDelay(t);

  assert.equal(starts, 1);
});
