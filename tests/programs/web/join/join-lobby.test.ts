/** The socket of the client's page: what ends it, and when it is retried. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import { lobbyProtocol, type LobbyDown, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { openLobbyConnection } from '@drawbridge/web/join/lobby-connection';
import { WebSocketServer } from 'ws';
import { eventually } from '../../../kit/eventually.ts';

const welcome: LobbyDown = { kind: 'welcome', owner: 'ann@example.com', server_key: 'A'.repeat(43) };
const ended = (code: Extract<LobbyDown, { kind: 'ended' }>['code']): LobbyDown => ({
  kind: 'ended',
  code,
  message: 'A sentence.',
});

/** A server that answers successive joins with these messages, and a page whose delays the test ends. */
async function openPage(...answers: LobbyDown[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => lobbyProtocol });
  await once(server, 'listening');
  server.on('connection', (socket) =>
    socket.once('message', () => {
      const answer = answers.shift()!;
      socket.send(JSON.stringify(answer));
      if (answer.kind === 'ended') socket.close(lobbyCloseCodes.dismissed.code, answer.code);
    }),
  );
  const received: string[] = [];
  const sent: LobbyUp[] = [];
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => sent.push(JSON.parse(data.toString()) as LobbyUp)),
  );
  const pauses: { ms: number; end: () => void }[] = [];
  const lobby = openLobbyConnection(
    {
      code: '123456789',
      key: 'A'.repeat(43),
      os: 'linux',
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clock: { after: (ms, end) => (pauses.push({ ms, end }), () => {}) },
      measure: async (relays) => relays.map(({ name }) => ({ name, ms: 7 })),
    },
    {
      welcome: () => void received.push('welcome'),
      session: () => void received.push('session'),
      lost: () => void received.push('lost'),
      busy: () => void received.push('busy'),
      ended: (reason) => void received.push(`ended: ${reason}`),
    },
  );
  return {
    received,
    sent,
    pauses,
    drop: () => server.clients.forEach((socket) => socket.terminate()),
    hears: (count: number) =>
      eventually(
        () => received.length,
        (length) => length === count,
      ),
    async [Symbol.asyncDispose]() {
      void lobby.leave();
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

test('after too many codes the page waits for a while and retries by itself', async () => {
  await using page = await openPage(ended('busy'), ended('busy'), welcome);

  await page.hears(1);
  page.pauses.at(-1)!.end();
  await page.hears(2);
  page.pauses.at(-1)!.end();
  await page.hears(3);

  assert.deepEqual(page.received, ['busy', 'busy', 'welcome']);
  assert.deepEqual(
    page.pauses.map(({ ms }) => ms),
    [15_000, 15_000],
  );
});

test('an unknown code is final, and nothing is retried', async () => {
  await using page = await openPage(ended('unknown'));

  await page.hears(1);

  assert.deepEqual([page.received, page.pauses], [['ended: unknown'], []]);
});

test('the page measures the relays of the server, and says at once what it knows when it connects again', async () => {
  const relays = [{ name: 'oslo', url: 'wss://oslo.example.com/relay' }];
  const measured = [{ name: 'oslo', ms: 7 }];
  await using page = await openPage({ ...welcome, relays }, welcome);
  const says = (count: number) =>
    eventually(
      () => page.sent,
      ({ length }) => length === count,
    );

  await says(2);
  page.drop();
  await page.hears(2);
  page.pauses.at(-1)!.end();
  await says(3);
  await page.hears(3);

  const [join, report, again] = page.sent;
  assert.deepEqual(
    [join?.kind, report, again?.kind],
    ['join', { kind: 'round_trips', round_trips: measured }, 'join'],
  );
  assert.ok(join?.kind === 'join' && again?.kind === 'join');
  assert.deepEqual([join.round_trips, again.round_trips], [undefined, measured]);
});
