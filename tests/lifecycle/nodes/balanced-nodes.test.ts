/** Three servers behind haproxy with round robin, as `npm run test:cluster` uses them in place of one server. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startAgent } from '../../kit/agent/agent.ts';
import { eventually } from '../../kit/eventually.ts';
import { freePort } from '../../kit/free-port.ts';
import { startHaproxy } from '../../kit/nodes/haproxy.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { startService } from '../../kit/server/service.ts';

const skip = skipWithout('haproxy');
const skipNodes = skip || skipWithout('PostgreSQL') || skipWithout('nats-server');

/** Twice the 1.75 seconds that the configuration promises, and the reads that wait meanwhile. */
const noticedWithinMs = 8_000;

/** A server that answers every request with its port, or as given. */
async function openEcho(context: TestContext, listener?: RequestListener): Promise<number> {
  const server = createServer(listener ?? ((_, answer) => void answer.end(String(port))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  context.after(() => server.close().closeAllConnections());
  return port;
}

const read = (port: number, agent: Agent, options: RequestOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ port, agent, rejectUnauthorized: false, ...options }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(answer.statusCode === 200 ? text : String(answer.statusCode)));
    })
      .on('error', reject)
      .end();
  });

test(
  'the balancer sends each request to the next server, also those of one connection',
  { skip },
  async (context) => {
    const servers = [await openEcho(context), await openEcho(context), await openEcho(context)];
    const port = await freePort();
    await using _balancer = await startHaproxy({ port, servers, certificate: await makeKeyPair() });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    const answers: string[] = [];
    while (answers.length < 6) answers.push(await read(port, agent));

    for (const each of servers)
      assert.equal(answers.filter((text) => text === String(each)).length, 2, answers.join());
  },
);

test(
  'a read that a server dropped is sent to another one, and a change or a page is not',
  { skip },
  async (context) => {
    const dropped: string[] = [];
    const dropping = await openEcho(context, ({ url, socket, method }, answer) => {
      if (url === '/readyz') return void answer.end();
      dropped.push(`${method} ${url}`);
      socket.destroy();
    });
    const working = await openEcho(context);
    const port = await freePort();
    const servers = [dropping, working];
    await using _balancer = await startHaproxy({ port, servers, certificate: await makeKeyPair() });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    context.after(() => agent.destroy());
    const isAnswered = async (path: string, method: string): Promise<boolean> =>
      (await read(port, agent, { path, method }).catch(() => '')) === String(working);
    const readTwice = async (path: string, method = 'GET'): Promise<boolean[]> => [
      await isAnswered(path, method),
      await isAnswered(path, method),
    ];
    const [reads, changes, pages] = [
      await readTwice('/v1/groups/list'),
      await readTwice('/v1/support/create', 'POST'),
      await readTwice('/connect/link'),
    ];

    assert.deepEqual(reads, [true, true]);
    for (const each of [changes, pages]) assert.equal(each.filter(Boolean).length, 1);
    assert.ok(dropped.includes('GET /v1/groups/list'));
    const unrepeated = dropped.filter((each) => each !== 'GET /v1/groups/list');
    assert.deepEqual(unrepeated, ['POST /v1/support/create', 'GET /connect/link']);
  },
);

test('a server that cannot be reached loses no request, not even a change', { skip }, async (context) => {
  const working = await openEcho(context);
  const port = await freePort();
  const servers = [await freePort(), working];
  const certificate = await makeKeyPair();
  await using _balancer = await startHaproxy({ port, servers, certificate, unchecked: true });
  const agent = new Agent();
  const answers: string[] = [];
  while (answers.length < 4)
    answers.push(await read(port, agent, { path: '/v1/support/create', method: 'POST' }));

  assert.deepEqual(new Set(answers), new Set([String(working)]));
});

test('a frozen server is left out within seconds', { skip }, async (context) => {
  const frozen = await openEcho(context, () => {});
  const working = await openEcho(context);
  const port = await freePort();
  const servers = [frozen, working];
  await using _balancer = await startHaproxy({ port, servers, certificate: await makeKeyPair() });
  const agent = new Agent();
  const readSoon = (): Promise<string> =>
    read(port, agent, { signal: AbortSignal.timeout(1_000) }).catch(() => 'nothing');

  await eventually(
    async () => [await readSoon(), await readSoon(), await readSoon()],
    (answers) => answers.every((answer) => answer === String(working)),
    noticedWithinMs,
  );
});

test('a server learns at once that a client has left its event stream', { skip }, async (context) => {
  let hasLeft = false;
  const server = await openEcho(context, ({ url }, answer) => {
    if (url === '/readyz') return void answer.end();
    answer.on('close', () => (hasLeft = true));
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data\n\n');
  });
  const port = await freePort();
  await using _balancer = await startHaproxy({ port, servers: [server], certificate: await makeKeyPair() });
  const stream = request({ port, path: '/panel/api/events', rejectUnauthorized: false }).end();
  const [answer] = (await once(stream, 'response')) as [IncomingMessage];
  await once(answer, 'data');
  stream.destroy();

  await eventually(
    () => hasLeft,
    (isNoticed) => isNoticed,
    noticedWithinMs,
  );
});

test('servers learn the address of the client, and that it used HTTPS', { skip }, async (context) => {
  const headers: IncomingHttpHeaders[] = [];
  const server = await openEcho(context, ({ url, headers: given }, answer) => {
    headers.push({ path: url!, ...given });
    answer.end();
  });
  const port = await freePort();
  await using _balancer = await startHaproxy({ port, servers: [server], certificate: await makeKeyPair() });
  await read(port, new Agent(), { path: '/v1/groups/list', headers: { 'X-Forwarded-Proto': 'http' } });
  const find = (path: string): Promise<IncomingHttpHeaders | undefined> =>
    eventually(
      () => headers.find((each) => each['path'] === path),
      (found) => found !== undefined,
    );

  const received = await find('/v1/groups/list');
  assert.deepEqual([received?.['x-forwarded-for'], received?.['x-forwarded-proto']], ['127.0.0.1', 'https']);
  assert.equal(
    (await find('/readyz'))?.['x-forwarded-proto'],
    'https',
    'a server refuses checks without HTTPS',
  );
});

test('servers that all fail their checks are all used', { skip }, async (context) => {
  const checks = [0, 0];
  const openBusy = (index: number): Promise<number> =>
    openEcho(context, ({ url }, answer) => {
      if (url === '/readyz') checks[index]! += 1;
      answer.writeHead(url === '/readyz' ? 503 : 200).end(`late ${index}`);
    });
  const servers = [await openBusy(0), await openBusy(1)];
  const port = await freePort();
  await using _balancer = await startHaproxy({ port, servers, certificate: await makeKeyPair() });
  const agent = new Agent();
  await eventually(
    () => checks,
    (counts) => counts.every((count) => count > 2),
  );
  const answers = [await read(port, agent), await read(port, agent)];

  assert.deepEqual(answers.toSorted(), ['late 0', 'late 1']);
});

test(
  'a device on one of three servers gets the commands that arrive at any of them',
  { skip: skipNodes },
  async () => {
    await using service = await startService({ cluster: true, realTime: true });
    const { owner } = await service.account();
    await using agent = startAgent({
      server: service.server.config.publicUrl,
      token: await createEnrolToken(owner),
    });
    await agent.until(/connected/);
    await waitUntilOnline(owner, agent.state.id);
    const codes: number[] = [];
    while (codes.length < 3) codes.push((await owner.call('agents/reboot', { id: agent.state.id })).http);

    assert.deepEqual(codes, [200, 200, 200]);
  },
);
