/** A client that sends pings and reads no pongs: the data that waits for it stays small. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { WebSocket } from 'ws';
import { receiveLobbyMessages } from './lobby-client.ts';

class FakeSocket extends EventEmitter {
  bufferedAmount = 0;
  pongs = 0;
  closedWith = 0;
  pong = (): void => void (this.pongs += 1);
  close = (code: number): void => void (this.closedWith = code);
}

function start(): FakeSocket & Disposable {
  const socket = new FakeSocket();
  receiveLobbyMessages(socket as unknown as WebSocket, {
    expectedKinds: () => [],
    handle: async () => {},
    onInvalid: () => {},
  });
  return Object.assign(socket, { [Symbol.dispose]: () => void socket.emit('close') });
}

test('a ping is answered, but not while an earlier pong waits to be sent', () => {
  using socket = start();
  socket.emit('ping', Buffer.alloc(0));
  socket.bufferedAmount = 127;
  for (let count = 0; count < 5; count += 1) socket.emit('ping', Buffer.alloc(125));
  socket.bufferedAmount = 0;
  socket.emit('ping', Buffer.alloc(0));

  assert.equal(socket.pongs, 2);
});

test('too many pings close the WebSocket, even while none is answered', () => {
  using socket = start();
  socket.bufferedAmount = 127;
  for (let count = 0; count < 30; count += 1) socket.emit('ping', Buffer.alloc(125));

  assert.equal(socket.closedWith, 1_008);
});
