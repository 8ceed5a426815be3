/**
 * Behind a trusted proxy all clients share one address: its connections are not limited like those of one
 * client.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { startService } from '../kit/server/service.ts';

/** What one address may open. */
const share = 100;

async function openSockets(port: number, size: number): Promise<Socket[]> {
  const sockets = Array.from({ length: size }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

for (const [who, trusted, admitted] of [
  ['a trusted proxy', '127.0.0.0/8', true],
  ['any other address', '10.0.0.0/8', false],
] as const)
  test(`${who} is ${admitted ? 'answered' : 'refused'} beyond the limit of one address`, async () => {
    const env = { DRAWBRIDGE_TRUSTED_PROXIES: trusted, DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: String(share) };
    await using service = await startService({ env });
    const { port } = service.server.config.listen;
    const sockets = await openSockets(port, share);

    const answer = service.testClient.send({ path: '/healthz' });

    if (admitted) assert.equal((await answer).http, 200);
    else await assert.rejects(answer);
    for (const socket of sockets) socket.destroy();
  });
