/** When a lane makes its sender wait, when it lets it go on, and what it keeps meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { createLane } from './lane.ts';
import { defaultRelayLimits } from './limits.ts';

/** A socket whose other end takes what waits only when told to. */
function createWire() {
  const queue: { frame: Buffer; onTaken: (() => void) | undefined }[] = [];
  const wire = {
    isPaused: false,
    /** What the system takes at once. */
    takesAtOnce: 0,
    bufferedAmount: 0,
    queue,
    pause: () => void (wire.isPaused = true),
    resume: () => void (wire.isPaused = false),
    send(frame: Buffer, onTaken?: () => void): void {
      if (wire.takesAtOnce-- > 0) return;
      wire.bufferedAmount += frame.length;
      queue.push({ frame, onTaken });
    },
    take(count: number): void {
      for (const { frame, onTaken } of queue.splice(0, count)) {
        wire.bufferedAmount -= frame.length;
        onTaken?.();
      }
    },
  };
  return wire;
}

const between = (limits: Partial<typeof defaultRelayLimits>) => {
  const [from, to] = [createWire(), createWire()];
  const lane = createLane(from as unknown as WebSocket, to as unknown as WebSocket, {
    ...defaultRelayLimits,
    ...limits,
  });
  return { from, to, lane };
};

test('the sender waits once as many bytes wait as may, and goes on when a quarter of them is left', () => {
  const { from, to, lane } = between({ waitingBytes: 400 });

  for (let count = 0; count < 4; count += 1) lane.pass(Buffer.alloc(100));
  assert.equal(from.isPaused, false);
  lane.pass(Buffer.alloc(100));
  assert.equal(from.isPaused, true);
  to.take(4);
  assert.equal(from.isPaused, true);
  to.take(1);

  assert.deepEqual([from.isPaused, lane.bytes], [false, 500]);
});

test('what came in the same breath as the frame that was too much is handed on too, and the sender goes on after it', () => {
  const { from, to, lane } = between({ waitingBytes: 400 });

  for (let count = 0; count < 8; count += 1) lane.pass(Buffer.alloc(100));
  to.take(6);
  assert.equal(from.isPaused, true);
  to.take(2);

  assert.equal(from.isPaused, false);
});

test('small frames count too: a thousand of them wait, and no more', () => {
  const { from, to, lane } = between({});

  for (let count = 0; count < defaultRelayLimits.waitingFrames; count += 1) lane.pass(Buffer.alloc(1));
  assert.equal(from.isPaused, false);
  lane.pass(Buffer.alloc(1));
  assert.equal(from.isPaused, true);
  to.take(2_000);

  assert.equal(from.isPaused, false);
});

test('a sender whose frames are taken at once never waits', () => {
  const { from, to, lane } = between({});
  to.takesAtOnce = 10_000;

  for (let count = 0; count < 10_000; count += 1) lane.pass(Buffer.alloc(1_000));

  assert.deepEqual([from.isPaused, lane.bytes], [false, 10_000_000]);
});

test('a small frame that waits does not hold on to the large piece it came in', () => {
  const { to, lane } = between({});
  const piece = Buffer.alloc(65_536);

  lane.pass(Buffer.alloc(100));
  lane.pass(piece.subarray(0, 10));
  lane.pass(piece.subarray(0, 60_000));

  const [, small, large] = to.queue;
  assert.notEqual(small!.frame.buffer, piece.buffer);
  assert.equal(large!.frame.buffer, piece.buffer);
});
