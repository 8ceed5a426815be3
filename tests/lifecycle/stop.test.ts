/**
 * How the server stops: running requests may finish, nothing new begins, and nobody can delay it for ever.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startService } from '../kit/server/service.ts';
import { openRawClient, type RawClient } from '../kit/server/raw-client.ts';
import { createDataFolder, launchServer, type LaunchedServer } from './launched-server.ts';

/** A request whose body is still to come, and that the server has begun to answer. */
async function beginRequest({ port, apiKey }: LaunchedServer, body: string): Promise<RawClient> {
  const client = await openRawClient(port, {});
  client.send(
    'POST /v1/groups/create HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n',
    `X-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await client.until(/^HTTP\/1\.1 100 Continue/);
  return client;
}

/** Resolves once nothing listens there any more. */
async function untilRefused(port: number): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
  while (await isOpen());
}

test('on a signal to stop, the server finishes running requests, accepts nothing new and exits with 0', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder });
  const body = '{"name":"finished"}';
  await using client = await beginRequest(server, body);

  server.send('SIGTERM');
  await untilRefused(server.port);
  client.send(body);
  const answer = await client.ended();

  assert.match(answer, /HTTP\/1\.1 200 OK\r\n/);
  assert.match(answer, /connection: close\r\n/i);
  assert.match(answer, /\{"status":0,"id":\d+\}$/);
  const { code, err } = await server.ended;
  assert.deepEqual([code, err], [0, '']);

  await using again = await launchServer({ DRAWBRIDGE_DATA: data.folder });
  const { body: groups } = await again.testClient.sdkClient(server.apiKey).request('groups/list', {});
  assert.deepEqual(
    groups.data?.map((group) => group.name),
    ['finished'],
  );
});

test('a request that never ends is cut off after the timeout, and the exit code is still 0', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_DRAIN_SECONDS: '1' });
  await using client = await beginRequest(server, '{}');

  server.send('SIGTERM');

  assert.doesNotMatch(await client.ended(), /HTTP\/1\.1 200/);
  assert.equal((await server.ended).code, 0);
});

test('on a second signal, the server stops at once', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_DRAIN_SECONDS: '20' });
  await using client = await beginRequest(server, '{}');

  // Signals within a second count as one: a terminal and its launcher may both send theirs.
  const insist = setInterval(() => server.send('SIGTERM'), 50);
  const { code } = await server.ended.finally(() => clearInterval(insist));

  assert.equal(code, 1);
  await client.ended();
});

test('an idle server with many connections stops promptly', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_DRAIN_SECONDS: '600' });
  const clients = await Promise.all(Array.from({ length: 20 }, () => openRawClient(server.port, {})));
  for (const client of clients) {
    client.send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await client.until(/ok\n$/);
  }

  server.send('SIGTERM');

  assert.equal((await server.ended).code, 0);
  await Promise.all(clients.map((client) => client.ended()));
});

test('while it stops, the server reports that it is not ready', async () => {
  await using service = await startService();
  await using client = await openRawClient(service.server.config.listen.port, {});
  client.send('GET /readyz HTTP/1.1\r\nHost: localhost\r\n');
  await service.testClient.send({ path: '/readyz' });

  const closed = service.server.close(5_000);
  client.send('\r\n');

  assert.match(await client.ended(), /^HTTP\/1\.1 503 /);
  await closed;
});
