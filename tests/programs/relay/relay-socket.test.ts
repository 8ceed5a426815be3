/** What a device sends to a relay, as it arrives inside TLS. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { openRelaySocket } from '@drawbridge/session/node/relay-socket';
import { WebSocketServer } from 'ws';
import { eventually } from '../../kit/eventually.ts';

interface WatchedPort extends AsyncDisposable {
  url: string;
  /** What has arrived since the handshake. */
  bytes(): Buffer;
}

async function openWatchedPort(): Promise<WatchedPort> {
  const port = createServer(await createSelfSigned(['127.0.0.1'], new Date()));
  const sockets = new WebSocketServer({ noServer: true });
  const arrived: Buffer[] = [];
  port.on('upgrade', (request, socket: Socket, head) => {
    socket.on('data', (bytes: Buffer) => arrived.push(bytes));
    sockets.handleUpgrade(request, socket, head, () => {});
  });
  await once(port.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `wss://127.0.0.1:${(port.address() as AddressInfo).port}`,
    bytes: () => Buffer.concat(arrived),
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      port.close();
    },
  };
}

test('the mask of its frames is zero, so that neither end spends time on it', async () => {
  await using port = await openWatchedPort();
  const listener = { onPaired() {}, onFrame() {}, onClose() {} };

  openRelaySocket({ relay: port.url, ticket: 'the ticket', isTrusted: () => true }, listener);

  const frame = Buffer.from([0x81, 0x80 | 10, 0, 0, 0, 0, ...Buffer.from('the ticket')]);
  assert.deepEqual(await eventually(port.bytes, ({ length }) => length >= frame.length), frame);
});
