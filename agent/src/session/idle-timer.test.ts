/** Tests when a session counts as idle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../../tests/kit/session/manual-clock.ts';
import { startIdleTimer } from './idle-timer.ts';

test('a session is idle after its time-out since the last use, once', () => {
  const clock = createManualClock();
  let idle = 0;
  const timer = startIdleTimer(
    clock,
    () => 1_000,
    () => (idle += 1),
  );

  clock.advance(900);
  timer.used();
  clock.advance(900);
  assert.equal(idle, 0);
  clock.advance(100);
  assert.equal(idle, 1);
  clock.advance(5_000);
  assert.equal(idle, 1);
});

test('a time-out that is changed counts from the last use, and without one nothing happens', () => {
  const clock = createManualClock();
  let [idle, ms] = [0, Infinity];
  const timer = startIdleTimer(
    clock,
    () => ms,
    () => (idle += 1),
  );

  clock.advance(10_000);
  assert.equal(idle, 0);
  ms = 20_000;
  timer.update();
  clock.advance(9_999);
  assert.equal(idle, 0);
  ms = 5_000;
  timer.update();
  assert.equal(idle, 1);
  timer.stop();
});
