/** One port for HTTP and HTTPS: every client gets the right response or a clean refusal, however its bytes are split. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { openByteByByteProxy, openRawClient } from '../../../../tests/kit/server/raw-client.ts';
import { createSelfSigned } from '../../tls/self-signed.ts';
import { type ListenerLimits, type PortListener, openListener } from './listener.ts';

const [tls, otherTls] = await Promise.all([
  createSelfSigned(['localhost'], new Date()),
  createSelfSigned(['localhost'], new Date()),
]);

/** Responds with a summary of the request: `https POST /path 5` for a body of five bytes. */
const echo: RequestListener = async (request, response) => {
  let length = 0;
  for await (const chunk of request) length += (chunk as Buffer).length;
  const protocol = (request.socket as Partial<TLSSocket>).encrypted ? 'https' : 'http';
  const answer = `${protocol} ${request.method} ${request.url} ${length}`;
  response.setHeader('Content-Length', answer.length).end(answer);
};

async function open(
  onRequest = echo,
  limits: Partial<ListenerLimits> = {},
  host = '127.0.0.1',
): Promise<PortListener & { port: number } & AsyncDisposable> {
  const listener = await openListener({ host, port: 0, tls, onRequest, limits });
  return { ...listener, port: listener.address.port, [Symbol.asyncDispose]: () => listener.close(0) };
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const bodies = (heard: string): string[] => heard.match(/https? [A-Z]+ \/\S* \d+/g) ?? [];

for (const [protocol, secure] of [
  ['http', undefined],
  ['https', {}],
] as const) {
  test(`${protocol} is answered as ${protocol} on the one port`, async () => {
    await using listener = await open();
    await using client = await openRawClient(listener.port, secure);

    client.send(get('/a', 'Connection: close'));

    assert.deepEqual(bodies(await client.ended()), [`${protocol} GET /a 0`]);
  });

  test(`${protocol} that arrives byte by byte is answered like any other`, async () => {
    await using listener = await open();
    await using slow = await openByteByByteProxy(listener.port);
    await using client = await openRawClient(slow.port, secure);

    client.send(get('/first'), post('/second', 'x'.repeat(100)));

    assert.deepEqual(bodies(await client.ended()), [
      `${protocol} GET /first 0`,
      `${protocol} POST /second 100`,
    ]);
  });

  test(`${protocol} requests sent in one write are all answered, in order`, async () => {
    await using listener = await open();
    await using client = await openRawClient(listener.port, secure);

    client.send([get('/1'), get('/2'), get('/3'), post('/4', 'x'.repeat(60_000))].join(''));

    const expected = ['GET /1 0', 'GET /2 0', 'GET /3 0', 'POST /4 60000'].map(
      (line) => `${protocol} ${line}`,
    );
    assert.deepEqual(bodies(await client.ended()), expected);
  });

  test(`${protocol} serves many requests on one connection`, async () => {
    await using listener = await open();
    await using client = await openRawClient(listener.port, secure);

    for (let index = 0; index < 50; index += 1) {
      client.send(get(`/${index}`));
      await client.until(new RegExp(`GET /${index} 0`));
    }

    assert.equal(bodies(client.received()).length, 50);
  });

  test(`HTTP/1.0 over ${protocol} is answered, and the connection ends unless the client asks to keep it`, async () => {
    await using listener = await open();
    await using once0 = await openRawClient(listener.port, secure);
    await using kept = await openRawClient(listener.port, secure);

    once0.send('GET /a HTTP/1.0\r\n\r\n');
    kept.send('GET /b HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    await kept.until(/GET \/b 0/);
    kept.send('GET /c HTTP/1.0\r\n\r\n');

    assert.deepEqual(bodies(await once0.ended()), [`${protocol} GET /a 0`]);
    assert.deepEqual(bodies(await kept.ended()), [`${protocol} GET /b 0`, `${protocol} GET /c 0`]);
  });
}

const malformed: Record<string, string> = {
  rubbish: 'rubbish\r\n\r\n',
  'a length and chunks at once':
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n',
  'chunks and a length at once':
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
  'two lengths': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'a length that is none': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde',
  'an unknown transfer coding':
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n',
  'a space before the colon': 'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n',
  'NUL in a header': 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
  'a chunk size that is none': 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'an unknown version': 'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
};
for (const [what, bytes] of Object.entries(malformed)) {
  test(`a request with ${what} is refused once, in JSON, and the connection ends`, async () => {
    const seen: (string | undefined)[] = [];
    await using listener = await open((request, response) => {
      seen.push(request.url);
      request.resume().on('end', () => response.end());
    });
    await using client = await openRawClient(listener.port);

    client.send(bytes);
    const heard = await client.ended();

    assert.match(heard, /^HTTP\/1\.1 400 Bad Request\r\n/);
    assert.match(heard, /\r\nConnection: close\r\n/);
    assert.equal(
      heard.split('\r\n\r\n')[1],
      '{"error":{"code":"bad_request","message":"The request is not valid HTTP."}}',
    );
    assert.ok(!seen.includes('/smuggled'));
  });
}

test('headers of sixteen kibibytes are accepted and larger ones refused', async () => {
  await using listener = await open();
  await using fits = await openRawClient(listener.port, {});
  await using large = await openRawClient(listener.port, {});

  fits.send(get('/fits', `X: ${'x'.repeat(15_000)}`, 'Connection: close'));
  large.send(get('/large', `X: ${'x'.repeat(17_000)}`));

  assert.deepEqual(bodies(await fits.ended()), ['https GET /fits 0']);
  assert.match(await large.ended(), /^HTTP\/1\.1 431 .*"code":"headers_too_large"/s);
});

test('garbage after a request whose response has begun does not get into that response', async () => {
  await using listener = await open((_request, response) => void response.write('the beginning'));
  await using client = await openRawClient(listener.port);

  client.send(get('/a'));
  await client.until(/the beginning/);
  client.send('rubbish\r\n\r\n');

  assert.doesNotMatch(await client.ended(), /400|bad_request/);
});

test('garbage within a body does not get into a response that has already begun', async () => {
  await using listener = await open((_request, response) => void response.write('the beginning'));
  await using client = await openRawClient(listener.port);

  client.send('POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await client.until(/the beginning/);
  client.send('rubbish\r\n');

  assert.doesNotMatch(await client.ended(), /400|bad_request/);
});

test('garbage after a running request ends the connection and is not answered in its place', async () => {
  await using listener = await open(() => {});
  await using client = await openRawClient(listener.port);

  client.send(get('/a'), 'rubbish\r\n\r\n');

  assert.equal(await client.ended(), '');
});

test('half a request followed by the end of the connection is refused', async () => {
  await using listener = await open();
  await using client = await openRawClient(listener.port);

  client.send('GET /a HTT');
  client.socket.end();

  assert.match(await client.ended(), /^HTTP\/1\.1 400 /);
});

test('three hundred clients that send noise do no harm', async () => {
  await using listener = await open();

  const noise = Array.from({ length: 300 }, async (_, index) => {
    await using client = await openRawClient(listener.port);
    // One third begins like a handshake, one third like a request.
    const start = [Buffer.of(0x16, 0x03, 0x01), Buffer.from('GET / HTTP/1.1\r\n'), Buffer.alloc(0)][
      index % 3
    ] as Buffer;
    client.send(Buffer.concat([start, randomBytes(200)]));
    client.socket.end();
    await client.ended();
  });
  await Promise.all(noise);
  await using client = await openRawClient(listener.port, {});
  client.send(get('/alive', 'Connection: close'));

  assert.deepEqual(bodies(await client.ended()), ['https GET /alive 0']);
});

test('new connections get a new certificate, and open ones continue', async () => {
  await using listener = await open();
  await using before = await openRawClient(listener.port, {
    ca: tls.cert,
    servername: 'localhost',
    rejectUnauthorized: true,
  });

  listener.setCertificate(otherTls.cert, otherTls.key);
  await using after = await openRawClient(listener.port, {
    ca: otherTls.cert,
    servername: 'localhost',
    rejectUnauthorized: true,
  });
  before.send(get('/before', 'Connection: close'));
  after.send(get('/after', 'Connection: close'));

  assert.deepEqual(bodies(await before.ended()), ['https GET /before 0']);
  assert.deepEqual(bodies(await after.ended()), ['https GET /after 0']);
  assert.throws(() => listener.setCertificate(tls.cert, otherTls.key), /mismatch/);
});

test('a client that offers only HTTP/1.0, or both versions, negotiates its protocol in the handshake', async () => {
  await using listener = await open();

  for (const [offered, chosen] of [
    [['http/1.0'], 'http/1.0'],
    [['http/1.0', 'http/1.1'], 'http/1.1'],
    [['h2', 'http/1.1'], 'http/1.1'],
  ] as const) {
    await using client = await openRawClient(listener.port, { ALPNProtocols: [...offered] });
    client.send(`GET /a HTTP/1.${chosen.at(-1)}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

    assert.equal((client.socket as TLSSocket).alpnProtocol, chosen);
    assert.deepEqual(bodies(await client.ended()), ['https GET /a 0']);
  }
});

test('TLS older than 1.2 is refused', async () => {
  await using listener = await open();

  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await assert.rejects(openRawClient(listener.port, old), /alert|protocol/i);
  await using client = await openRawClient(listener.port, { maxVersion: 'TLSv1.2' });
  assert.equal((client.socket as TLSSocket).getProtocol(), 'TLSv1.2');
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`a client that reconnects over ${version} resumes its TLS session`, async () => {
    await using listener = await open();
    await using first = await openRawClient(listener.port, { maxVersion: version });
    first.send(get('/a'));
    await first.until(/GET \/a 0/);
    const session = (first.socket as TLSSocket).getSession();

    await using second = await openRawClient(listener.port, {
      maxVersion: version,
      ...(session && { session }),
    });

    assert.equal((second.socket as TLSSocket).isSessionReused(), true);
  });
}

test('on a dual-stack port one IPv4 address does not take the share of the others', async () => {
  const limits = { connections: 100, connectionsPerAddress: 3 };
  await using listener = await open(echo, limits, '::');
  const { port } = listener;
  const held = await Promise.all([1, 2, 3].map(() => openRawClient(port, undefined, '127.0.3.1')));
  await Promise.all(held.map((each) => (each.send(get('/held')), each.until(/held 0/))));

  await using more = await openRawClient(port, undefined, '127.0.3.1');
  assert.equal(await more.ended(), '');
  await using other = await openRawClient(port, {}, '127.0.4.4');
  other.send(get('/other', 'Connection: close'));

  assert.deepEqual(bodies(await other.ended()), ['https GET /other 0']);
});
