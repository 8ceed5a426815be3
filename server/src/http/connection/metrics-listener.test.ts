/** The metrics listener over real sockets on loopback. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { openMetricsListener } from './metrics-listener.ts';

const open = (text: () => Promise<string>, onFailure?: (error: unknown) => void) =>
  openMetricsListener({ host: '127.0.0.1', port: 0, text, ...(onFailure && { onFailure }) });

test('the metrics are served at /metrics', async () => {
  const listener = await open(async () => 'a 1\n');

  const reply = await fetch(`http://127.0.0.1:${listener.port}/metrics?x=1`);

  assert.deepEqual([reply.status, await reply.text()], [200, 'a 1\n']);
  assert.equal(reply.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  await listener.close();
});

test('other paths and methods are refused', async () => {
  const listener = await open(async () => 'a 1\n');
  const base = `http://127.0.0.1:${listener.port}`;

  const replies = await Promise.all([
    fetch(`${base}/`),
    fetch(`${base}/metrics/x`),
    fetch(`${base}/v1/agents/list`),
    fetch(`${base}/metrics`, { method: 'POST', body: 'x' }),
  ]);

  assert.deepEqual(
    replies.map((reply) => reply.status),
    [404, 404, 404, 405],
  );
  await listener.close();
});

test('a failure is reported to the server and not to the client', async () => {
  const failures: unknown[] = [];
  const listener = await open(
    () => Promise.reject(new Error('detail')),
    (error) => failures.push(error),
  );

  const reply = await fetch(`http://127.0.0.1:${listener.port}/metrics`);

  assert.deepEqual([reply.status, (await reply.text()).includes('detail'), failures.length], [500, false, 1]);
  await listener.close();
});

test('a port in use is an error at once, and a closed listener accepts no connections', async () => {
  const listener = await open(async () => '');

  await assert.rejects(
    openMetricsListener({ host: '127.0.0.1', port: listener.port, text: async () => '' }),
    {
      code: 'EADDRINUSE',
    },
  );
  await listener.close();

  await assert.rejects(fetch(`http://127.0.0.1:${listener.port}/metrics`));
});

/** Resolves once the server has closed the connection. */
const ended = (socket: Socket): Promise<unknown> =>
  new Promise(
    (resolve) =>
      void socket
        .on('error', () => {})
        .once('close', resolve)
        .resume(),
  );

/** Returns the HTTP code that a client with this address gets. */
const readFrom = (localAddress: string, port: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asked = get({ port, host: '127.0.0.1', localAddress, agent: false, path: '/metrics' });
    asked.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
  });

test('a client that holds idle connections keeps no other client out, and loses them soon', async () => {
  const listener = await open(async () => 'a 1\n');
  const { port } = listener;
  const held = Array.from({ length: 200 }, (_, at) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.3.${1 + (at % 20)}` }),
  );
  const over = Promise.all(held.map(ended));
  await Promise.all(held.map((socket) => new Promise((resolve) => void socket.once('connect', resolve))));

  const read = await readFrom('127.0.4.4', port);

  assert.equal(read, 200);
  await over;
  await listener.close();
});

test('a client that pipelines requests is cut off after its first answer', async (t) => {
  const listener = await open(async () => 'a 1\n');
  t.after(listener.close);
  const client = connect({ port: listener.port, host: '127.0.0.1' });
  let received = '';
  client.on('data', (bytes) => (received += String(bytes)));

  client.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  await ended(client);

  assert.ok(received.split('HTTP/1.1 ').length <= 2, received);
});

test('clients that ask soon after a collection wait for the next one and share it', async (t) => {
  let collected = 0;
  const text = async (): Promise<string> => `collected ${(collected += 1)}\n`;
  const listener = await openMetricsListener({ host: '127.0.0.1', port: 0, text, collectEveryMs: 1_000 });
  t.after(listener.close);
  const read = async (): Promise<string> => (await fetch(`http://127.0.0.1:${listener.port}/metrics`)).text();

  const first = await read();
  const others = await Promise.all([read(), read(), read()]);

  assert.deepEqual([first, ...new Set(others)], ['collected 1\n', 'collected 2\n']);
});

test('on a dual-stack port one IPv4 address does not take the share of the others', async () => {
  const limits = { connections: 100, connectionsPerAddress: 2 };
  const listener = await openMetricsListener({ host: '::', port: 0, text: async () => 'a 1\n', limits });
  const { port } = listener;
  const hold = () => connect({ port, host: '127.0.0.1', localAddress: '127.0.3.1' });
  const held = [hold(), hold()];
  await Promise.all(held.map((socket) => new Promise((resolve) => void socket.once('connect', resolve))));

  await ended(hold());

  const read = await readFrom('127.0.4.4', port).finally(listener.close);
  assert.equal(read, 200);
});
