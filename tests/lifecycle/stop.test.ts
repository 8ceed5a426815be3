/**
 * How the server stops: running requests may finish, nothing new begins, and nobody can delay it for ever.
 */
import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import { createCloseStack } from '@drawbridge/server/compose/close-stack';
import { startSweeping } from '@drawbridge/server/compose/blob-stores';
import { createLog } from '@drawbridge/server/edges/log';
import { openBlobStore } from '@drawbridge/server/store/blobs/blob-store';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { startService } from '../kit/server/service.ts';
import { joinLobby } from '../kit/session/session-ends.ts';
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

test('a server that can store nothing any more stops in order: devices are told to move, and all is closed', async () => {
  const service = await startService({ database: 'sqlite', cluster: false });
  const { owner } = await service.account();
  await using device = await openRogueDevice(service.testClient.baseUrl);
  await device.enter(await createEnrolToken(owner));
  const { invite_code: code } = (await owner.call('support/create', { client_name: 'Ann' })).body['data'];
  await using client = await joinLobby(service.testClient.baseUrl, code);
  await client.waitFor('welcome');
  await runSql(
    service,
    `create trigger full before update on invitation begin select raise(abort, 'refused by the test'); end`,
  );

  await service.server.close(1_000);

  assert.equal((await device.next('move')).after_seconds, 0);
  assert.equal((await client.closed).code, lobbyCloseCodes.stopping.code);
  assert.match(service.logged.join(''), /could not store that a client left/);
  await assert.rejects(service.server.store.ping());
  await service[Symbol.asyncDispose]();
});

test('a server that cleans up does not wait for the end of it when it stops', async () => {
  await using service = await startService({ database: 'sqlite', cluster: false });
  const folder = join(service.folder, 'unreferenced');
  const { now } = service.server.store;
  const blobs = (await openBlobStore({ folder, largest: 10, owner: 'us', now }))!;
  for (const text of ['one', 'two', 'three']) await blobs.put(1, Readable.from([Buffer.from(text)]));
  const left = (): string[] => readdirSync(join(folder, '1'));
  for (const name of left()) utimesSync(join(folder, '1', name), 1, 1);
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const remove: typeof blobs.remove = async (accountId, blobKey) => {
    resolve(stop());
    await blobs.remove(accountId, blobKey);
  };
  const all = { blobs: { ...blobs, remove }, recordings: blobs, pictures: undefined, agentFiles: undefined };
  const stop = startSweeping(service.server.store, all, 0, createLog({ level: 'error' }));

  await stopped;

  assert.equal(left().length, 2);
});

test('a part that fails to close keeps no other from closing, and is reported', async () => {
  const closed: string[] = [];
  const stack = createCloseStack(
    () => void closed.push('first'),
    () => Promise.reject(new Error('in use')),
    () => void closed.push('last'),
  );

  await assert.rejects(stack.closeAll(), /in use/);

  assert.deepEqual(closed, ['last', 'first']);
});
