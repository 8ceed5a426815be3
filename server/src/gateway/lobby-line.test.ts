/** The line of a client that asks for signs of life and takes none: what waits for it stays small. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { hear } from './lobby-line.ts';

class Wire extends EventEmitter {
  bufferedAmount = 0;
  answered = 0;
  closedWith = 0;
  pong = (): void => void (this.answered += 1);
  close = (code: number): void => void (this.closedWith = code);
}

function start(): Wire & Disposable {
  const wire = new Wire();
  hear(wire as unknown as WebSocket, { expected: () => [], work: async () => {}, onWrong: () => {} });
  return Object.assign(wire, { [Symbol.dispose]: () => void wire.emit('close') });
}

test('a ping is answered, but not while an earlier answer waits', () => {
  using wire = start();
  wire.emit('ping', Buffer.alloc(0));
  wire.bufferedAmount = 127;
  for (let count = 0; count < 5; count += 1) wire.emit('ping', Buffer.alloc(125));
  wire.bufferedAmount = 0;
  wire.emit('ping', Buffer.alloc(0));

  assert.equal(wire.answered, 2);
});

test('too many pings end the line, also while nothing is answered', () => {
  using wire = start();
  wire.bufferedAmount = 127;
  for (let count = 0; count < 30; count += 1) wire.emit('ping', Buffer.alloc(125));

  assert.equal(wire.closedWith, 1_008);
});
