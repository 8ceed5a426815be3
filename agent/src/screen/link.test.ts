/** Rules of the pace and of the choice between video and JPEG. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLink } from './link.ts';
import { createWayChoice } from './way.ts';

/** Sends and acknowledges pictures at this delay, every 33 ms from a moment on. */
function exchange(link: ReturnType<typeof createLink>, delays: readonly number[], from = 0): number {
  delays.forEach((delay, at) => {
    link.sent(from + at, from + at * 33);
    link.shown(from + at, from + at * 33 + delay);
  });
  return from + delays.length * 33;
}

const times = (count: number, delay: number): number[] => Array.from({ length: count }, () => delay);

test('two pictures may be under way at first, and none more until one was shown', () => {
  const link = createLink();
  link.sent(1, 0);
  assert.ok(link.isOpen());
  link.sent(2, 1);
  assert.ok(!link.isOpen());

  link.shown(1, 5);

  assert.ok(link.isOpen());
  assert.equal(link.inFlight(), 1);
});

test('on a long way more pictures are under way, but never more than twelve', () => {
  const [long, endless] = [createLink(), createLink()];
  exchange(long, [100]);
  exchange(endless, [5_000]);
  const room = (link: ReturnType<typeof createLink>): number => {
    let count = 0;
    while (link.isOpen()) link.sent(1_000 + count++, 0);
    return count;
  };

  assert.deepEqual([room(long), room(endless)], [5, 12]);
});

test('an acknowledgement of what was never sent counts for nothing', () => {
  const link = createLink();
  link.sent(1, 0);
  link.shown(0, 5);
  assert.equal(link.inFlight(), 1);

  link.shown(99, 5);

  assert.deepEqual(link.delay(), { shortest: Infinity, excess: 0 });
});

test('when pictures come later and later less is sent, and more again when they do not', () => {
  const link = createLink();
  exchange(link, times(30, 20));
  const before = link.bitrate();
  const now = exchange(link, times(60, 300), 1_000);
  const crowded = link.bitrate();
  exchange(link, times(200, 20), now + 33);

  assert.ok(crowded < before / 2, `${crowded} after ${before}`);
  assert.ok(link.bitrate() > crowded);
});

test('slow video gives way to JPEG on a link that is near and calm, and comes back when that crowds it', () => {
  const link = createLink();
  const choice = createWayChoice(link, { video: true, jpeg: true });
  exchange(link, times(20, 12));
  choice.encoded(30, 1_000);
  assert.equal(choice.way(), 'video');
  choice.encoded(30, 2_100);
  assert.equal(choice.way(), 'jpeg');

  exchange(link, times(20, 400), 3_000);
  choice.encoded(10, 4_000);
  assert.equal(choice.way(), 'video');

  exchange(link, times(60, 12), 4_000);
  choice.encoded(30, 7_000);
  choice.encoded(30, 9_000);
  assert.equal(choice.way(), 'video', 'it is not tried again at once');
});

test('what the device or the operator can not do is never chosen', () => {
  const only = (can: { video: boolean; jpeg: boolean }): string => createWayChoice(createLink(), can).way();

  assert.equal(only({ video: true, jpeg: false }), 'video');
  assert.equal(only({ video: false, jpeg: true }), 'jpeg');
});
