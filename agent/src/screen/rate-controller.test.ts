/** Tests of the rate control. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateController } from './rate-controller.ts';

/** Sends a frame every 33 ms from `from` on, each acknowledged after its delay. */
function exchange(
  rateController: ReturnType<typeof createRateController>,
  delays: readonly number[],
  from = 0,
): number {
  delays.forEach((delay, at) => {
    rateController.sent(from + at, from + at * 33);
    rateController.shown(from + at, from + at * 33 + delay);
  });
  return from + delays.length * 33;
}

const times = (count: number, delay: number): number[] => Array.from({ length: count }, () => delay);

test('at first two frames may be in flight, and the next leaves only after one was shown', () => {
  const rateController = createRateController();
  rateController.sent(1, 0);
  assert.ok(rateController.isOpen());
  rateController.sent(2, 1);
  assert.ok(!rateController.isOpen());

  rateController.shown(1, 5);

  assert.ok(rateController.isOpen());
  assert.equal(rateController.inFlight(), 1);
});

test('a connection with a long delay has more frames in flight, but never more than twelve', () => {
  const [long, endless] = [createRateController(), createRateController()];
  exchange(long, [100]);
  exchange(endless, [5_000]);
  const countFree = (rateController: ReturnType<typeof createRateController>): number => {
    let count = 0;
    while (rateController.isOpen()) rateController.sent(1_000 + count++, 0);
    return count;
  };

  assert.deepEqual([countFree(long), countFree(endless)], [5, 12]);
});

test('an acknowledgement of a frame that was never sent is ignored', () => {
  const rateController = createRateController();
  rateController.sent(1, 0);
  rateController.shown(0, 5);
  assert.equal(rateController.inFlight(), 1);

  rateController.shown(99, 5);

  assert.deepEqual(rateController.delay(), { shortest: Infinity, excess: 0, last: 0 });
});

test('the bitrate falls while the delay grows and rises again afterwards', () => {
  const rateController = createRateController();
  exchange(rateController, times(30, 20));
  const before = rateController.bitrate();
  const now = exchange(rateController, times(60, 300), 1_000);
  const congested = rateController.bitrate();
  exchange(rateController, times(200, 20), now + 33);

  assert.ok(congested < before / 2, `${congested} after ${before}`);
  assert.ok(rateController.bitrate() > congested);
});
