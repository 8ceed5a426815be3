/** Routes as clients see them: named parts, the rest of a path, methods, and bodies that are read, streamed or refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { parseNetworks } from '@drawbridge/server/http/connection/client-address';
import { textResponse, type PageRequest, type Route } from '@drawbridge/server/http/route';
import { serve, type ServeOptions } from '@drawbridge/server/http/serve';
import { openRawClient } from '../kit/server/raw-client.ts';

const kib64 = 64 * 1_024;

/** Says which route answered, with which named parts, and how much of a body it was given. */
const echo = (path: string) => async (request: PageRequest) =>
  textResponse(200, JSON.stringify([path, request.params, request.body?.length ?? 'none']));

async function drain(path: string, { incoming }: PageRequest) {
  let length = 0;
  for await (const bytes of incoming!.bytes) length += bytes.length;
  return textResponse(200, JSON.stringify([path, length]));
}

const routes: Route[] = [
  ...['/', '/panel', '/panel/*', '/p/:path', '/d/list', '/d/:name'].map((path): Route => ({
    method: 'GET',
    path,
    handle: echo(path),
  })),
  { method: 'POST', path: '/p/:path', handle: echo('POST /p/:path') },
  {
    method: 'POST',
    path: '/upload/:name',
    takes: 'bytes',
    handle: (request) => drain('/upload/:name', request),
  },
];

describe('routing', () => {
  const server = createServer();
  const bugs: unknown[] = [];
  const answered: string[] = [];
  before(async () => {
    const parsed = parseNetworks(['127.0.0.1']);
    const options = {
      tables: [],
      routes,
      trustedProxies: 'networks' in parsed ? parsed.networks : undefined,
      corsOrigins: [],
      legacy: undefined,
      onBug: (_operation: string, error: unknown) => void bugs.push(error),
      onAnswer: ({ operation }: { operation: string }) => void answered.push(operation),
    };
    server.on('request', serve(options as unknown as ServeOptions)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  /** Sends a request and returns its status with the body, or with the code of the refusal. */
  async function ask(line: string, body = '', ...headers: string[]): Promise<[number, unknown]> {
    await using client = await openRawClient((server.address() as AddressInfo).port);
    const head = [`${line} HTTP/1.1`, 'Host: a', 'X-Forwarded-Proto: https', 'Connection: close', ...headers];
    client.send([...head, '', body].join('\r\n'));
    const received = await client.ended();
    const text = received.slice(received.indexOf('\r\n\r\n') + 4);
    const answer = text === '' ? '' : (JSON.parse(text) as { error?: { code: string } });
    return [Number(received.split(' ')[1]), (answer && answer.error?.code) || answer];
  }
  const post = (path: string, body: string) => ask(`POST ${path}`, body, `Content-Length: ${body.length}`);
  const chunked = (path: string, body: string) =>
    ask(`POST ${path}`, `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, 'Transfer-Encoding: chunked');
  const unknown = [404, 'unknown_url'];
  const unreadable = [400, 'invalid_request'];

  test('a path finds its route and the named parts of it', async () => {
    const found: Record<string, [string, object]> = {
      '/': ['/', {}],
      '/panel': ['/panel', {}],
      '/panel/': ['/panel/*', { '*': '' }],
      '/panel/devices/12?tab=files': ['/panel/*', { '*': 'devices/12' }],
      '/p/': ['/p/:path', { path: '' }],
      '/p/desk?x=/y': ['/p/:path', { path: 'desk' }],
      '/d/list': ['/d/list', {}],
      '/d/lists': ['/d/:name', { name: 'lists' }],
      'https://a/p/desk': ['/p/:path', { path: 'desk' }],
    };
    for (const [path, [route, params]] of Object.entries(found))
      assert.deepEqual(await ask(`GET ${path}`), [200, [route, params, 'none']], path);
  });

  test('any other path, and a part that is too long or has an escape, is unknown', async () => {
    const long = 'x'.repeat(101);
    for (const path of [
      '/x',
      '//',
      '/p',
      '/p/a/',
      '/p/a/b',
      `/p/${long}`,
      '/panels',
      '/p/%61',
      '/p/a%',
      'https://a/x',
    ])
      assert.deepEqual(await ask(`GET ${path}`), unknown, path);
  });

  test('a route answers its own method and HEAD, and no other', async () => {
    assert.deepEqual(await ask('HEAD /p/desk'), [200, '']);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'])
      assert.deepEqual(await ask(`${method} /p/desk`), unknown, method);
    assert.deepEqual(await post('/d/list', ''), unknown);
    assert.deepEqual(await ask('HEAD /upload/x'), [404, '']);
  });

  test('a body is read up to 64 KiB, whatever its type, with GET not at all', async () => {
    const whole = 'x'.repeat(kib64);
    for (const send of [post, chunked]) {
      assert.deepEqual(await send('/p/desk', whole), [200, ['POST /p/:path', { path: 'desk' }, kib64]]);
      assert.deepEqual(await send('/p/desk', `${whole}x`), unreadable);
    }
    assert.deepEqual(await post('/p/desk', ''), [200, ['POST /p/:path', { path: 'desk' }, 'none']]);
    assert.deepEqual(await ask('POST /p/desk', '<a/>', 'Content-Type: ;;', 'Content-Length: 4'), [
      200,
      ['POST /p/:path', { path: 'desk' }, 4],
    ]);
    assert.deepEqual(await ask('GET /p/desk', 'body', 'Content-Length: 4'), [
      200,
      ['/p/:path', { path: 'desk' }, 'none'],
    ]);
  });

  test('a route that takes a file receives a long body as a stream', async () => {
    for (const send of [post, chunked])
      assert.deepEqual(await send('/upload/x', 'x'.repeat(3 * kib64)), [200, ['/upload/:name', 3 * kib64]]);
  });

  test('the body of an unknown path is read and refused like any other', async () => {
    assert.deepEqual(await post('/x', 'body'), unknown);
    for (const send of [post, chunked]) assert.deepEqual(await send('/x', 'x'.repeat(kib64 + 1)), unreadable);
  });

  test('a sender that leaves in the middle of its body is reported and does no harm', async () => {
    answered.length = 0;
    await using client = await openRawClient((server.address() as AddressInfo).port);
    client.send(
      'POST /p/desk HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\nContent-Length: 10\r\n\r\nhalf',
    );
    const [request] = (await once(server, 'request')) as [NodeJS.ReadableStream];
    client.socket.destroy();
    await new Promise((resolve) => request.once('close', resolve));

    assert.deepEqual(await ask('GET /d/list'), [200, ['/d/list', {}, 'none']]);
    assert.deepEqual([answered, bugs], [['invalid_request', '/d/list'], []]);
  });
});
