/** The line of the client's page: what ends it, and after what it is tried again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import { lobbyProtocol, type LobbyDown } from '@drawbridge/contract/session/lobby';
import { openLobbyConnection } from '@drawbridge/web/join/lobby-connection';
import { WebSocketServer } from 'ws';
import { eventually } from '../../kit/eventually.ts';

const welcome: LobbyDown = { kind: 'welcome', owner: 'ann@example.com', server_key: 'A'.repeat(43) };
const ended = (code: Extract<LobbyDown, { kind: 'ended' }>['code']): LobbyDown => ({
  kind: 'ended',
  code,
  message: 'A sentence.',
});

/** A server that answers one join after the other with these words, and a page whose pauses the test ends. */
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
  const heard: string[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const lobby = openLobbyConnection(
    {
      code: '123456789',
      key: 'A'.repeat(43),
      os: 'linux',
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      clock: { after: (ms, end) => (pauses.push({ ms, end }), () => {}) },
    },
    {
      welcome: () => void heard.push('welcome'),
      session: () => void heard.push('session'),
      lost: () => void heard.push('lost'),
      busy: () => void heard.push('busy'),
      ended: (reason) => void heard.push(`ended: ${reason}`),
    },
  );
  return {
    heard,
    pauses,
    hears: (count: number) =>
      eventually(
        () => heard.length,
        (length) => length === count,
      ),
    async [Symbol.asyncDispose]() {
      void lobby.leave();
      for (const socket of server.clients) socket.terminate();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

test('where too many codes were tried the page waits for a while, and tries again by itself', async () => {
  await using page = await openPage(ended('busy'), ended('busy'), welcome);

  await page.hears(1);
  page.pauses.at(-1)!.end();
  await page.hears(2);
  page.pauses.at(-1)!.end();
  await page.hears(3);

  assert.deepEqual(page.heard, ['busy', 'busy', 'welcome']);
  assert.deepEqual(
    page.pauses.map(({ ms }) => ms),
    [15_000, 15_000],
  );
});

test('a code that leads nowhere is the end, and nothing is tried again', async () => {
  await using page = await openPage(ended('unknown'));

  await page.hears(1);

  assert.deepEqual([page.heard, page.pauses], [['ended: unknown'], []]);
});
