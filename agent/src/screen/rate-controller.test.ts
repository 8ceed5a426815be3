/** Rules of the pace and of the choice between video and JPEG. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateController } from './rate-controller.ts';
import { createCodecSelector } from './codec-selector.ts';

/** Sends and acknowledges pictures at this delay, every 33 ms from a moment on. */
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

test('two pictures may be under way at first, and none more until one was shown', () => {
  const rateController = createRateController();
  rateController.sent(1, 0);
  assert.ok(rateController.isOpen());
  rateController.sent(2, 1);
  assert.ok(!rateController.isOpen());

  rateController.shown(1, 5);

  assert.ok(rateController.isOpen());
  assert.equal(rateController.inFlight(), 1);
});

test('on a long way more pictures are under way, but never more than twelve', () => {
  const [long, endless] = [createRateController(), createRateController()];
  exchange(long, [100]);
  exchange(endless, [5_000]);
  const room = (rateController: ReturnType<typeof createRateController>): number => {
    let count = 0;
    while (rateController.isOpen()) rateController.sent(1_000 + count++, 0);
    return count;
  };

  assert.deepEqual([room(long), room(endless)], [5, 12]);
});

test('an acknowledgement of what was never sent counts for nothing', () => {
  const rateController = createRateController();
  rateController.sent(1, 0);
  rateController.shown(0, 5);
  assert.equal(rateController.inFlight(), 1);

  rateController.shown(99, 5);

  assert.deepEqual(rateController.delay(), { shortest: Infinity, excess: 0 });
});

test('when pictures come later and later less is sent, and more again when they do not', () => {
  const rateController = createRateController();
  exchange(rateController, times(30, 20));
  const before = rateController.bitrate();
  const now = exchange(rateController, times(60, 300), 1_000);
  const crowded = rateController.bitrate();
  exchange(rateController, times(200, 20), now + 33);

  assert.ok(crowded < before / 2, `${crowded} after ${before}`);
  assert.ok(rateController.bitrate() > crowded);
});

test('slow video gives way to JPEG on a link that is near and calm, and comes back when that crowds it', () => {
  const rateController = createRateController();
  const choice = createCodecSelector(rateController, { video: true, jpeg: true });
  exchange(rateController, times(20, 12));
  choice.encoded(30, 1_000);
  assert.equal(choice.codec(), 'video');
  choice.encoded(30, 2_100);
  assert.equal(choice.codec(), 'jpeg');

  exchange(rateController, times(20, 400), 3_000);
  choice.encoded(10, 4_000);
  assert.equal(choice.codec(), 'video');

  exchange(rateController, times(60, 12), 4_000);
  choice.encoded(30, 7_000);
  choice.encoded(30, 9_000);
  assert.equal(choice.codec(), 'video', 'it is not tried again at once');
});

test('what the device or the operator can not do is never chosen', () => {
  const only = (can: { video: boolean; jpeg: boolean }): string =>
    createCodecSelector(createRateController(), can).codec();

  assert.equal(only({ video: true, jpeg: false }), 'video');
  assert.equal(only({ video: false, jpeg: true }), 'jpeg');
});
