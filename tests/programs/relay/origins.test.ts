/** Which origins may open a socket to the relay: exactly those on the list, and clients without an origin. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { pageOrigin, startRelay, type RelayFixture } from './fixture.ts';

/** Requests a socket with exactly these headers; resolves with the HTTP status code. */
function ask(
  { port }: RelayFixture,
  headers: Record<string, string | string[]> = {},
  path = relayPath,
): Promise<number | 'hung up'> {
  const asked = request({
    port,
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      'sec-websocket-protocol': relayProtocol,
      ...headers,
    },
  });
  return new Promise((resolve) => {
    asked.on('response', (response) => resolve(response.resume().statusCode!));
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode!);
    });
    asked.on('error', () => resolve('hung up'));
    asked.end();
  });
}

const foreign: Record<string, string | string[]> = {
  'another site': 'https://evil.example',
  'a sibling subdomain': 'https://other.example.com',
  'the parent domain': 'https://example.com',
  'a longer name that begins alike': `${pageOrigin}.evil.example`,
  'no page in particular': 'null',
  'the same name without TLS': 'http://help.example.com',
  'another port': `${pageOrigin}:8443`,
  'the default port, spelled out': `${pageOrigin}:443`,
  'the name in capitals': 'https://HELP.example.com',
  'the scheme in capitals': 'HTTPS://help.example.com',
  'a trailing dot': `${pageOrigin}.`,
  'a trailing slash': `${pageOrigin}/`,
  'a path': `${pageOrigin}/c/x`,
  'a user in the address': 'https://help.example.com@evil.example',
  'a user before the right name': 'https://evil@help.example.com',
  'an IPv6 address': 'https://[::1]',
  'an empty name': '',
  'two names, the right one first': [pageOrigin, 'https://evil.example'],
  'two names, the right one last': ['https://evil.example', pageOrigin],
  'two names in one line': `${pageOrigin} https://evil.example`,
  'a wildcard': '*',
};

for (const [name, origin] of Object.entries(foreign))
  test(`a page from ${name} gets no socket`, async () => {
    await using fixture = await startRelay();

    assert.equal(await ask(fixture, { origin }), 403);
    assert.equal(fixture.relay.stats().pendingSockets, 0);
  });

test('a page on the list gets a socket, and so does a program, which sends no origin', async () => {
  await using fixture = await startRelay();

  assert.equal(await ask(fixture, { origin: pageOrigin }), 101);
  assert.equal(await ask(fixture), 101);
});

test('a foreign page is refused even with a valid ticket, for either side', async () => {
  await using fixture = await startRelay();

  await assert.rejects(fixture.dial({ origin: 'https://evil.example' }), /403/);
  const operator = await fixture.dial({ origin: pageOrigin });
  operator.socket.send(fixture.ticket({ side: 'operator' }));
  const device = await fixture.dial({ origin: pageOrigin });
  device.socket.send(fixture.ticket({ side: 'device' }));
});

test("a socket without the relay's subprotocol is not opened", async () => {
  await using fixture = await startRelay();

  assert.equal(await ask(fixture, { 'sec-websocket-protocol': 'chat' }), 400);
  assert.equal(await ask(fixture, { 'sec-websocket-protocol': `chat, ${relayProtocol}` }), 101);
});

test('requests to other paths are disconnected', async () => {
  await using fixture = await startRelay();

  for (const path of ['/', '/relay/', '/relay?x=1', '/RELAY', '/uplink'])
    assert.equal(await ask(fixture, {}, path), 'hung up', path);
});
