/** When a frame pipe pauses and resumes its sender, and what it keeps in memory meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { createFramePipe } from './frame-pipe.ts';
import { defaultRelayLimits } from './limits.ts';

/** A socket whose receiver takes frames only when the test says so. */
function createFakeSocket() {
  const queue: { frame: Buffer; onDrained: (() => void) | undefined }[] = [];
  const socket = {
    isPaused: false,
    /** How many frames the operating system takes without buffering. */
    takesAtOnce: 0,
    bufferedAmount: 0,
    queue,
    pause: () => void (socket.isPaused = true),
    resume: () => void (socket.isPaused = false),
    send(frame: Buffer, onDrained?: () => void): void {
      if (socket.takesAtOnce-- > 0) return;
      socket.bufferedAmount += frame.length;
      queue.push({ frame, onDrained });
    },
    take(count: number): void {
      for (const { frame, onDrained } of queue.splice(0, count)) {
        socket.bufferedAmount -= frame.length;
        onDrained?.();
      }
    },
  };
  return socket;
}

const openPipe = (limits: Partial<typeof defaultRelayLimits>) => {
  const [from, to] = [createFakeSocket(), createFakeSocket()];
  const pipe = createFramePipe(from as unknown as WebSocket, to as unknown as WebSocket, {
    ...defaultRelayLimits,
    ...limits,
  });
  return { from, to, pipe };
};

test('the sender is paused when the limit of waiting bytes is exceeded, and resumed when a quarter is left', () => {
  const { from, to, pipe } = openPipe({ waitingBytes: 400 });

  for (let count = 0; count < 4; count += 1) pipe.forward(Buffer.alloc(100));
  assert.equal(from.isPaused, false);
  pipe.forward(Buffer.alloc(100));
  assert.equal(from.isPaused, true);
  to.take(4);
  assert.equal(from.isPaused, true);
  to.take(1);

  assert.deepEqual([from.isPaused, pipe.bytes], [false, 500]);
});

test('frames received together with the one that exceeded the limit are forwarded too, and the sender resumes after them', () => {
  const { from, to, pipe } = openPipe({ waitingBytes: 400 });

  for (let count = 0; count < 8; count += 1) pipe.forward(Buffer.alloc(100));
  to.take(6);
  assert.equal(from.isPaused, true);
  to.take(2);

  assert.equal(from.isPaused, false);
});

test('small frames are limited by number: the sender is paused when more than a thousand wait', () => {
  const { from, to, pipe } = openPipe({});

  for (let count = 0; count < defaultRelayLimits.waitingFrames; count += 1) pipe.forward(Buffer.alloc(1));
  assert.equal(from.isPaused, false);
  pipe.forward(Buffer.alloc(1));
  assert.equal(from.isPaused, true);
  to.take(2_000);

  assert.equal(from.isPaused, false);
});

test('a sender whose frames are taken at once is never paused', () => {
  const { from, to, pipe } = openPipe({});
  to.takesAtOnce = 10_000;

  for (let count = 0; count < 10_000; count += 1) pipe.forward(Buffer.alloc(1_000));

  assert.deepEqual([from.isPaused, pipe.bytes], [false, 10_000_000]);
});

test('a small frame that waits does not keep the large buffer it was received in', () => {
  const { to, pipe } = openPipe({});
  const buffer = Buffer.alloc(65_536);

  pipe.forward(Buffer.alloc(100));
  pipe.forward(buffer.subarray(0, 10));
  pipe.forward(buffer.subarray(0, 60_000));

  const [, small, large] = to.queue;
  assert.notEqual(small!.frame.buffer, buffer.buffer);
  assert.equal(large!.frame.buffer, buffer.buffer);
});
