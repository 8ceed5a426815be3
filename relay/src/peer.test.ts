/** When a side counts as gone: it takes nothing of what waits for it, or gives no sign of life. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { createPairingPeer } from './peer.ts';
import { defaultRelayLimits } from './limits.ts';

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  pings = 0;
  pongs = 0;
  ping = (): void => void (this.pings += 1);
  pong = (): void => void (this.pongs += 1);
}

function start() {
  const socket = new FakeSocket();
  const ticket = { v: 1, pair: 'x'.repeat(22), side: 'device', permissions: [], exp: 0 } as const;
  const peer = createPairingPeer(
    socket as unknown as WebSocket,
    { ...ticket, permissions: [] },
    defaultRelayLimits,
    0,
  );
  /** Looks at this second, when so many bytes were handed on and so many of them wait. */
  const check = (second: number, sentBytes: number, waiting: number): boolean => {
    socket.bufferedAmount = waiting;
    return peer.isAlive(second * 1_000, sentBytes);
  };
  return { socket, check };
}

test('a side stays while it takes something, even when ever more waits for it', () => {
  const { socket, check } = start();

  for (let second = 1; second <= 100; second += 1) {
    socket.emit('message');
    assert.equal(check(second, second * 1_000, second * 990), true, `second ${second}`);
  }
});

test('a side that takes nothing is gone after twenty seconds, though it speaks', () => {
  const { socket, check } = start();
  assert.equal(check(1, 1_000, 500), true);

  for (let second = 2; second < 21; second += 1) {
    socket.emit('message');
    assert.equal(check(second, 1_000, 502), true, `second ${second}`);
  }

  assert.equal(check(21, 1_000, 502), false);
});

test('a side that says nothing is asked twice, and gone after twenty-five seconds', () => {
  const { socket, check } = start();

  for (let second = 1; second < 25; second += 1) assert.equal(check(second, 0, 0), true);

  assert.equal(socket.pings, 2);
  assert.equal(check(25, 0, 0), false);
});

test('any sign of life is one: an answer, a question, a frame', () => {
  for (const sign of ['pong', 'ping', 'message']) {
    const { socket, check } = start();
    check(20, 0, 0);
    socket.emit(sign);

    assert.equal(check(44, 0, 0), true, sign);
  }
});

test('a side that is not read is not blamed for its silence', () => {
  const { socket, check } = start();
  socket.isPaused = true;

  for (const second of [20, 40, 60]) assert.equal(check(second, 0, 0), true);
  socket.isPaused = false;

  assert.equal(check(84, 0, 0), true);
  assert.equal(check(85, 0, 0), false);
});

test('a question is answered unless something waits before the answer', () => {
  const { socket } = start();

  socket.emit('ping');
  socket.bufferedAmount = 1;
  socket.emit('ping');

  assert.equal(socket.pongs, 1);
});
