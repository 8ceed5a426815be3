/** The places of strangers at the relay, through the whole server: one network cannot take them all. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { WebSocket } from 'ws';
import { startHouse } from '../kit/house.ts';

test('all addresses of one network of the newer kind share its places, and others still get in', async () => {
  await using house = await startHouse({ env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' } });
  const sockets: WebSocket[] = [];
  /** Whether a stranger from this address gets in; it shows no ticket. */
  const enters = async (address: string): Promise<boolean> => {
    const { port } = house.server.config.listen;
    const socket = new WebSocket(`wss://127.0.0.1:${port}${relayPath}`, relayProtocol, {
      rejectUnauthorized: false,
      headers: { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' },
    });
    sockets.push(socket);
    return once(socket, 'open').then(
      () => true,
      () => false,
    );
  };

  const tries = Array.from({ length: 80 }, (_, index) => enters(`2001:db8:0:1::${index.toString(16)}`));
  const entered = (await Promise.all(tries)).filter(Boolean).length;
  const [neighbour, older] = [await enters('2001:db8:0:2::1'), await enters('192.0.2.7')];
  for (const socket of sockets) socket.terminate();

  assert.ok(entered <= 64, `${entered} entered`);
  assert.deepEqual([neighbour, older], [true, true]);
});
