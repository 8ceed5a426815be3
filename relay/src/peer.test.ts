/** When a side counts as gone: it does not receive what waits for it, or it sends nothing. */
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
  /** Checks at this second, with so many bytes forwarded and so many of them still waiting. */
  const check = (second: number, sentBytes: number, waiting: number): boolean => {
    socket.bufferedAmount = waiting;
    return peer.isAlive(second * 1_000, sentBytes);
  };
  return { socket, peer, check };
}

test('a side stays while it receives something, even when more and more waits for it', () => {
  const { peer, check } = start();

  for (let second = 1; second <= 100; second += 1) {
    peer.noteReceived();
    assert.equal(check(second, second * 1_000, second * 990), true, `second ${second}`);
  }
});

test('a side that receives nothing is gone after twenty seconds, even when it sends', () => {
  const { peer, check } = start();
  assert.equal(check(1, 1_000, 500), true);

  for (let second = 2; second < 21; second += 1) {
    peer.noteReceived();
    assert.equal(check(second, 1_000, 502), true, `second ${second}`);
  }

  assert.equal(check(21, 1_000, 502), false);
});

test('a side that sends nothing gets two pings and is gone after twenty-five seconds', () => {
  const { socket, check } = start();

  for (let second = 1; second < 25; second += 1) assert.equal(check(second, 0, 0), true);

  assert.equal(socket.pings, 2);
  assert.equal(check(25, 0, 0), false);
});

test('a pong, a ping and a frame each show that a side is alive', () => {
  const signs: Record<string, (side: ReturnType<typeof start>) => void> = {
    pong: ({ socket }) => socket.emit('pong'),
    ping: ({ socket }) => socket.emit('ping'),
    frame: ({ peer }) => peer.noteReceived(),
  };
  for (const [name, show] of Object.entries(signs)) {
    const side = start();
    side.check(20, 0, 0);
    show(side);

    assert.equal(side.check(44, 0, 0), true, name);
  }
});

test('a paused side does not count as silent', () => {
  const { socket, check } = start();
  socket.isPaused = true;

  for (const second of [20, 40, 60]) assert.equal(check(second, 0, 0), true);
  socket.isPaused = false;

  assert.equal(check(84, 0, 0), true);
  assert.equal(check(85, 0, 0), false);
});

test('a ping is answered unless data waits to be sent', () => {
  const { socket } = start();

  socket.emit('ping');
  socket.bufferedAmount = 1;
  socket.emit('ping');

  assert.equal(socket.pongs, 1);
});
