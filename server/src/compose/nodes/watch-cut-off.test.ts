/** When a server that cannot store anything sends its devices and sessions to the others. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchCutOff } from './watch-cut-off.ts';

/** Returns how often devices were sent away after each of these checks. */
async function movesAfter(t: TestContext, checks: readonly boolean[]): Promise<number[]> {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const left = [...checks];
  let moves = 0;
  const drain = async (): Promise<void> => void moves++;
  const gateway = { drain, holds: () => false };
  const sessions = { deviceIds: () => new Set<number>(), release: async () => {} };
  const nodes = { isCutOff: async () => left.shift()! };
  const stop = watchCutOff({ nodes, gateway, sessions, log: { error() {} } });
  const after: number[] = [];
  while (left.length > 0) {
    t.mock.timers.tick(5_000);
    await nextTurn();
    after.push(moves);
  }
  stop();
  return after;
}

test('two checks in a row are needed, and devices are sent away once', async (t) => {
  assert.deepEqual(await movesAfter(t, [true, true, true]), [0, 1, 1]);
});

test('one check alone moves nothing, because others may have noticed a moment earlier that the database is back', async (t) => {
  assert.deepEqual(await movesAfter(t, [true, false, true, false]), [0, 0, 0, 0]);
});

test('the next outage counts again', async (t) => {
  assert.deepEqual(await movesAfter(t, [true, true, false, true, true]), [0, 1, 1, 1, 2]);
});
