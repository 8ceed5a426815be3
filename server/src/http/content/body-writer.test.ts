/** Long bodies over real TLS: complete for clients that read; clients that do not read cost little memory and are cut off. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { openRawClient } from '../../../../tests/kit/server/raw-client.ts';
import { eventually } from '../../../../tests/kit/eventually.ts';
import { openStalledClients } from '../../../../tests/kit/hostile/stalled-clients.ts';
import { createSelfSigned } from '../../tls/self-signed.ts';
import { createBodyLimiter, type BodyLimits, type BodyPool } from './body-limiter.ts';
import { writeBody } from './body-writer.ts';
import { openListener } from '../connection/listener.ts';
import { writeChunkBytes } from '../route.ts';
import { sendReply } from './send.ts';

const tls = await createSelfSigned(['localhost'], new Date());
/** More than the kernel buffers for one connection. */
const large = Buffer.alloc(24_000_000, 'a long body ');
const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function open(limits: Partial<BodyLimits>, body: () => Buffer | Readable) {
  const bodyLimiter = createBodyLimiter(limits);
  const sent = { http: 200, json: false, headers: {} };
  let over = 0;
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    tls,
    onRequest(request, response) {
      if (request.url === '/healthz') return void response.end();
      const to = { pool: 'pages', address: '127.0.0.1', bodyLimiter } as const;
      const done = sendReply(request, response, { ...sent, body: body() }, to);
      void Promise.resolve(done).then(() => (over += 1));
    },
  });
  const { port } = listener.address;
  return { port, over: () => over, [Symbol.asyncDispose]: () => listener.close(0) };
}

test('a long body arrives complete, from memory and from a stream', async () => {
  for (const body of [() => large, () => Readable.from([large.subarray(0, 7), large.subarray(7)])]) {
    await using listener = await open({}, body);
    const answer = await fetchFrom(listener.port);
    assert.equal(sha256(answer), sha256(large));
  }
});

test('a client that does not read costs a few chunks of memory, not the whole body', async () => {
  await using listener = await open({}, () => large);
  await using clients = await openStalledClients({ port: listener.port, count: 20, request: get });
  const before = process.memoryUsage().rss;

  assert.deepEqual(await clients.ask(), Array(20).fill(200));
  await untilQuiet();

  const grown = (process.memoryUsage().rss - before) / 1_048_576;
  assert.ok(grown < 150, `${grown.toFixed(0)} MiB for 20 clients; their bodies together have 458`);
});

test('bodies for many clients are sent a few chunks per turn of the event loop, so that other requests are served between them', async () => {
  const slot = { chunkSent() {}, chunkTaken() {}, release() {} };
  const turns: number[][] = [[]];
  const clients = Array.from({ length: 40 }, (_, client) => ({
    req: { socket: Object.assign(new EventEmitter(), { destroyed: false }) },
    write: (_chunk: Buffer, taken: () => void) => (turns.at(-1)!.push(client), setImmediate(taken)),
    end: (taken: () => void) => setImmediate(taken),
  }));
  const bodies = clients.map((client) =>
    writeBody(client as unknown as ServerResponse, large.subarray(0, 3 * writeChunkBytes), slot, 'pages'),
  );
  const state = { over: false };
  void Promise.all(bodies).then(() => (state.over = true));
  while (!state.over) {
    turns.push([]);
    await new Promise((resolve) => setImmediate(resolve));
  }

  assert.deepEqual(
    turns.flat().filter((client) => client === 7),
    [7, 7, 7],
  );
  assert.deepEqual(
    turns.flat().slice(0, 40),
    clients.map((_, client) => client),
    'everyone has the first chunk before anyone has the second',
  );
  // A turn of the test may see the end of one turn of the writer and the beginning of the next.
  assert.ok(Math.max(...turns.map(({ length }) => length)) <= 8);
});

test('callers that have authenticated receive larger chunks than anyone else', async () => {
  const slot = { chunkSent() {}, chunkTaken() {}, release() {} };
  const longestChunk = async (pool: BodyPool): Promise<number> => {
    const lengths: number[] = [];
    const client = {
      req: { socket: Object.assign(new EventEmitter(), { destroyed: false }) },
      write: (chunk: Buffer, taken: () => void) => (lengths.push(chunk.length), setImmediate(taken)),
      end: (taken: () => void) => setImmediate(taken),
    };
    await writeBody(client as unknown as ServerResponse, large.subarray(0, 100_000), slot, pool);
    assert.equal(
      lengths.reduce((sum, length) => sum + length),
      100_000,
    );
    return Math.max(...lengths);
  };

  const longest = {
    answers: await longestChunk('answers'),
    pages: await longestChunk('pages'),
    downloads: await longestChunk('downloads'),
    streams: await longestChunk('streams'),
  };

  assert.deepEqual(longest, { answers: 98_304, pages: 16_384, downloads: 16_384, streams: 16_384 });
});

test('a client that does not read is cut off after the limit, even if it still sends, and its slot is released', async () => {
  await using listener = await open({ total: 1, stalledMs: 300, checkEveryMs: 20 }, () => large);
  await using client = await openRawClient(listener.port, {});
  client.send(get);
  await client.until(/a long body/);
  client.socket.pause();
  const sending = setInterval(() => client.send('G'), 20);

  await eventually(listener.over, (over) => over === 1);
  clearInterval(sending);

  assert.equal(sha256(await fetchFrom(listener.port)), sha256(large));
});

test('without a free slot the client is told when to retry, and the body that was not sent is closed', async () => {
  const opened: Readable[] = [];
  const waiting = (): Readable => {
    const stream = new Readable({ read: () => {} });
    stream.push('begun');
    opened.push(stream);
    return stream;
  };
  for (const [limits, http] of [
    [{ perNetwork: 1 }, 429],
    [{ total: 1 }, 503],
  ] as const) {
    await using listener = await open(limits, waiting);
    await using first = await openRawClient(listener.port, {});
    await using second = await openRawClient(listener.port, {});
    first.send(get);
    await first.until(/begun/);
    second.send(get);

    const refused = await second.until(/\}\}$/);

    assert.match(refused, new RegExp(`^HTTP/1.1 ${http} `));
    assert.match(refused, /Retry-After: 5\r\n.*\{"error":\{"code":"too_many_downloads"/s);
    assert.match(refused, /Strict-Transport-Security/);
    assert.equal(opened.pop()!.destroyed, true);
  }
});

test('a connection uses one slot at a time: pipelined requests wait for their turn', async () => {
  const opened: Readable[] = [];
  await using listener = await open({ total: 2 }, () => {
    opened.push(Readable.from([large]));
    return opened.at(-1)!;
  });
  await using client = await openRawClient(listener.port, {});
  client.send(get.repeat(3));
  await client.until(/a long body/);
  client.socket.pause();

  assert.equal(sha256(await fetchFrom(listener.port)), sha256(large));
  assert.equal(opened.length, 2, 'one for each connection');

  client.socket.destroy();
  await eventually(listener.over, (over) => over === 2);
  assert.ok(opened.every(({ destroyed }) => destroyed));
  assert.equal(opened.length, 2);
});

test('pipelined requests are all answered, one after the other', async () => {
  await using listener = await open({ total: 1 }, () => Readable.from([large]));
  await using client = await openRawClient(listener.port, {});
  let bytes = 0;
  client.socket.on('data', (chunk: Buffer) => (bytes += chunk.length));

  client.send(get.repeat(3));
  await eventually(listener.over, (over) => over === 3);
  await eventually(
    () => bytes,
    (count) => count > large.length * 3,
  );

  assert.equal(client.received().match(/HTTP\/1.1 200 OK/g)?.length, 3);
});

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function fetchFrom(port: number): Promise<Buffer> {
  await using client = await openRawClient(port, {});
  client.send(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const chunks: Buffer[] = [];
  client.socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const heard = await client.ended();
  const whole = Buffer.concat(chunks);
  const body = whole.subarray(heard.indexOf('\r\n\r\n') + 4);
  return /transfer-encoding: chunked/i.test(heard) ? unchunked(body) : body;
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!(length > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
}

/** Waits until the memory of the process no longer grows. */
async function untilQuiet(): Promise<void> {
  let [most, since] = [0, performance.now()];
  await eventually(
    () => process.memoryUsage().rss,
    (rss) => {
      if (rss > most + 1_048_576) [most, since] = [rss, performance.now()];
      return performance.now() - since > 1_500;
    },
    60_000,
  );
}
