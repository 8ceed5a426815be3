/** Jumps of the machine's clock, as the server sees them. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { startSteadyClock } from './steady-clock.ts';

/** A machine whose clock can jump. Its checks run when the test says so. */
function machine(t: TestContext, onJump: (seconds: number) => Promise<unknown> = async () => {}) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const time = { wall: 1_000_000, steady: 50 };
  const clock = startSteadyClock(onJump, { wall: () => time.wall, steady: () => time.steady });
  const pass = (ms: number, jump = 0): void => {
    time.wall += ms + jump;
    time.steady += ms;
  };
  const check = async (): Promise<void> => {
    t.mock.timers.tick(1_000);
    await new Promise(setImmediate);
  };
  return { now: clock.now, pass, check };
}

test('the time passes with the machine, and small corrections are followed', async (t) => {
  const { now, pass, check } = machine(t);
  pass(10_000, 1_500);
  assert.equal(now(), 1_010);
  await check();
  assert.equal(now(), 1_011);
});

test('a jump is followed once what is present has been moved', async (t) => {
  const moved = Promise.withResolvers<void>();
  const jumps: number[] = [];
  const { now, pass, check } = machine(t, (seconds) => (jumps.push(seconds), moved.promise));
  pass(1_000, 3_600_000);
  await check();
  await check();
  assert.deepEqual([now(), jumps], [1_001, [3_600]]);

  moved.resolve();
  await check();
  assert.equal(now(), 4_601);
});

test('a jump back is followed too, and one that could not be stored is tried again', async (t) => {
  let fails = true;
  const jumps: number[] = [];
  const { now, pass, check } = machine(t, async (seconds) => {
    jumps.push(seconds);
    if (fails) throw new Error('disk full');
  });
  pass(0, -500_000);
  await check();
  assert.equal(now(), 1_000);
  fails = false;
  await check();
  assert.deepEqual([now(), jumps], [500, [-500, -500]]);
});
