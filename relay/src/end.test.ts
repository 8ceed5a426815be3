/** When a side counts as gone: it takes nothing of what waits for it, or gives no sign of life. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { createEnd } from './end.ts';
import { defaultRelayLimits } from './limits.ts';

class Wire extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  isPaused = false;
  asked = 0;
  answered = 0;
  ping = (): void => void (this.asked += 1);
  pong = (): void => void (this.answered += 1);
}

function start() {
  const wire = new Wire();
  const ticket = { v: 1, pair: 'x'.repeat(22), side: 'device', permissions: [], exp: 0 } as const;
  const end = createEnd(wire as unknown as WebSocket, { ...ticket, permissions: [] }, defaultRelayLimits, 0);
  /** Looks at this second, when so many bytes were handed on and so many of them wait. */
  const look = (second: number, handed: number, waiting: number): boolean => {
    wire.bufferedAmount = waiting;
    return end.isAlive(second * 1_000, handed);
  };
  return { wire, look };
}

test('a side stays while it takes something, even when ever more waits for it', () => {
  const { wire, look } = start();

  for (let second = 1; second <= 100; second += 1) {
    wire.emit('message');
    assert.equal(look(second, second * 1_000, second * 990), true, `second ${second}`);
  }
});

test('a side that takes nothing is gone after twenty seconds, though it speaks', () => {
  const { wire, look } = start();
  assert.equal(look(1, 1_000, 500), true);

  for (let second = 2; second < 21; second += 1) {
    wire.emit('message');
    assert.equal(look(second, 1_000, 502), true, `second ${second}`);
  }

  assert.equal(look(21, 1_000, 502), false);
});

test('a side that says nothing is asked twice, and gone after twenty-five seconds', () => {
  const { wire, look } = start();

  for (let second = 1; second < 25; second += 1) assert.equal(look(second, 0, 0), true);

  assert.equal(wire.asked, 2);
  assert.equal(look(25, 0, 0), false);
});

test('any sign of life is one: an answer, a question, a frame', () => {
  for (const sign of ['pong', 'ping', 'message']) {
    const { wire, look } = start();
    look(20, 0, 0);
    wire.emit(sign);

    assert.equal(look(44, 0, 0), true, sign);
  }
});

test('a side that is not read is not blamed for its silence', () => {
  const { wire, look } = start();
  wire.isPaused = true;

  for (const second of [20, 40, 60]) assert.equal(look(second, 0, 0), true);
  wire.isPaused = false;

  assert.equal(look(84, 0, 0), true);
  assert.equal(look(85, 0, 0), false);
});

test('a question is answered unless something waits before the answer', () => {
  const { wire } = start();

  wire.emit('ping');
  wire.bufferedAmount = 1;
  wire.emit('ping');

  assert.equal(wire.answered, 1);
});
