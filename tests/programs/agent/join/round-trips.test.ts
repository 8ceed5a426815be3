/** What the program that joins measures is said only to the connection whose server asked for it. */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createPort, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { serveInvitation } from '@drawbridge/agent/join/serve-invitation';
import { lobbyPath, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { WebSocketServer, type WebSocket } from 'ws';
import { createFakePlatform } from '../../../kit/agent/fake-platform.ts';
import { eventually } from '../../../kit/eventually.ts';

const relayPath = '/relay';
const welcome = { kind: 'welcome', owner: 'ann@example.com', server_key: 'A'.repeat(43) };

/** A server with a lobby and a relay that does what the test says. */
async function openLobby() {
  const { cert, key } = await createSelfSigned(['localhost'], new Date());
  const http = createServer({ cert, key });
  const server = new WebSocketServer({ server: http });
  const lobbies: { socket: WebSocket; sent: LobbyUp[] }[] = [];
  const relays: WebSocket[] = [];
  server.on('connection', (socket, { url }) => {
    if (url !== lobbyPath) return void relays.push(socket);
    const sent: LobbyUp[] = [];
    socket.on('message', (data) => sent.push(JSON.parse((data as Buffer).toString()) as LobbyUp));
    lobbies.push({ socket, sent });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    address,
    pin: createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url'),
    relays,
    /** Waits for the first message of the connection with this number. */
    async joined(number: number) {
      await eventually(
        () => lobbies[number]?.sent.length ?? 0,
        (count) => count > 0,
      );
      return lobbies[number]!;
    },
    close() {
      for (const socket of server.clients) socket.terminate();
      http.close();
    },
  };
}

test('after the connection was lost, the next one is told in its first message only', async () => {
  const lobby = await openLobby();
  const end = new AbortController();
  const over = serveInvitation({
    server: `https://${lobby.address}`,
    code: '123456789',
    pin: lobby.pin,
    platform: createFakePlatform(),
    features: [],
    connect: () => ({}),
    say() {},
    log() {},
    signal: end.signal,
  });

  let visits = 0;
  const port = createPort((socket) => ((visits += 1), socket.destroy())).listen(0, '127.0.0.1');
  await once(port, 'listening');
  const first = await lobby.joined(0);
  const relays = [
    { name: 'oslo', url: `wss://${lobby.address}${relayPath}` },
    // No WebSocket can be created for these.
    { name: 'lima', url: 'ftp://lima.example.com' },
    { name: 'rome', url: 'wss://rome.example.com/relay#key' },
    // A port of the device that is not encrypted is none of a relay.
    { name: 'bonn', url: `ws://127.0.0.1:${(port.address() as AddressInfo).port}` },
  ];
  first.socket.send(JSON.stringify({ ...welcome, relays }));
  const relay = await eventually(
    () => lobby.relays[0]!,
    (socket) => socket !== undefined,
  );
  const measured = once(relay, 'close');
  first.socket.terminate();
  const second = await lobby.joined(1);
  second.socket.send(JSON.stringify(welcome));
  relay.send('not the answer of a relay');
  await measured;
  second.socket.close();
  const third = await lobby.joined(2);
  end.abort();
  await over;
  lobby.close();
  port.close();

  assert.equal(visits, 0);
  assert.deepEqual(
    [first, second].map(({ sent }) => sent.map(({ kind }) => kind)),
    [['join'], ['join']],
  );
  assert.ok(third.sent[0]?.kind === 'join' && third.sent[0].round_trips);
});
