/**
 * The slots of unauthenticated sockets at the relay, through the whole server: one network cannot take them
 * all.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { WebSocket } from 'ws';
import { createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService } from '../../kit/server/service.ts';
import { openSessionLink, startFakeDevice, joinRelay } from '../../kit/session/session-ends.ts';
import { openRawClient } from '../../kit/server/raw-client.ts';
import { eventually } from '../../kit/eventually.ts';
import { createRelay } from '@drawbridge/relay/relay';
import { slotOwnerOf } from '@drawbridge/server/domain/networks';
import { openListener } from '@drawbridge/server/http/connection/listener';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { encodeBody, type Ticket } from '@drawbridge/contract/session/signed';
import { createTestPeer, createTicketSigner, newPair } from './fixture.ts';

test('all addresses of one IPv6 network share its slots, and others still get in', async () => {
  await using service = await startService({ env: { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' } });
  const sockets: WebSocket[] = [];
  /** Whether an unauthenticated socket from this address gets in; it presents no ticket. */
  const enters = async (address: string): Promise<boolean> => {
    const { port } = service.server.config.listen;
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

test('sockets that presented a ticket take no slot of their address, however many sessions it has', async () => {
  await using service = await startService({ env: { DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '6' } });
  const { owner } = await service.account();
  await using device = await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(owner));
  await eventually(
    async () => (await owner.call('agents/info', { agent_id: device.id })).body['data'].online,
    (online) => online === true,
  );
  await using peerStack = new AsyncDisposableStack();

  for (let count = 0; count < 5; count += 1) {
    const { body } = await owner.call('agents/connect', { agent_id: device.id });
    await peerStack.use(joinRelay(await openSessionLink(service, body['data'].url))).paired;
  }
});

test('a running session survives a flood that takes all slots', async () => {
  const [tls, signer] = [await createSelfSigned(['localhost'], new Date()), createTicketSigner()];
  const relay = createRelay({ serverKeys: [signer.publicKey], origins: [], now: () => 1_800_000_000 });
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    tls,
    onRequest: (_, response) => void response.end(),
    limits: { connections: 12, connectionsPerAddress: 12 },
    onUpgrade: (request, socket, head, settle) =>
      void relay.upgrade(request, socket, head, { ...slotOwnerOf(request.socket.remoteAddress!), settle }),
  });
  await using ends = new AsyncDisposableStack();
  ends.defer(() => listener.close(0));
  ends.defer(() => relay.closeAll());
  const { port } = listener.address;
  const pair = newPair();
  const come = async (side: 'operator' | 'device') => {
    const peer = createTestPeer(port, { rejectUnauthorized: false });
    await once(peer.socket, 'open');
    const ticket: Ticket = { v: 1, pair, side, permissions: [], exp: 1_800_000_060 };
    peer.socket.send(signer.sign(encodeBody('ticket', ticket)));
    return peer;
  };
  const [operator, device] = [await come('operator'), await come('device')];
  await Promise.all([operator.paired(), device.paired()]);

  for (let at = 1; at <= 30; at += 1) ends.use(await openRawClient(port, undefined, `127.0.5.${at}`));
  await using last = await openRawClient(port, undefined, '127.0.5.31');
  await last.ended();

  assert.equal(relay.stats().sessions, 1);
  assert.deepEqual(
    [operator, device].map(({ socket }) => socket.readyState),
    [WebSocket.OPEN, WebSocket.OPEN],
  );
});
