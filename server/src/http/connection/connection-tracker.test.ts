/** Time limits and closing: idle connections end, and closing does not disturb running requests. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../../../../tests/kit/eventually.ts';
import { openByteByByteProxy, openRawClient } from '../../../../tests/kit/server/raw-client.ts';
import { createSelfSigned } from '../../tls/self-signed.ts';
import { type ListenerLimits, type PortListener, openListener } from './listener.ts';

const tls = await createSelfSigned(['localhost'], new Date());
const hour = 3_600_000;
/** Only the limit under test is short, so that no other can have ended the connection. */
const patient: Partial<ListenerLimits> = {
  firstByteMs: hour,
  handshakeMs: hour,
  headersMs: hour,
  requestMs: hour,
  keepAliveMs: hour,
  stalledMs: hour,
  checkEveryMs: 10,
};
const hello: RequestListener = (_request, response) =>
  void response.setHeader('Content-Length', 5).end('hello');
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function open(
  limits: Partial<ListenerLimits>,
  onRequest = hello,
): Promise<PortListener & { port: number } & AsyncDisposable> {
  const all = { ...patient, ...limits };
  const listener = await openListener({ host: '127.0.0.1', port: 0, tls, onRequest, limits: all });
  return { ...listener, port: listener.address.port, [Symbol.asyncDispose]: () => listener.close(0) };
}

/** A listener whose requests wait until the test answers them. */
async function openWaiting() {
  const asked = new EventEmitter();
  const listener = await open({}, (_request, response) => void asked.emit('request', response));
  const nextResponse = async (): Promise<ServerResponse> =>
    (await once(asked, 'request'))[0] as ServerResponse;
  return { ...listener, nextResponse };
}

test('a connection that sends nothing is closed', async () => {
  await using listener = await open({ firstByteMs: 30 });
  await using client = await openRawClient(listener.port);

  assert.equal(await client.ended(), '');
});

test('a handshake that stops, or continues too slowly, is cut off', async () => {
  await using listener = await open({ handshakeMs: 40 });
  await using stuck = await openRawClient(listener.port);
  await using slow = await openByteByByteProxy(listener.port);
  await using trickling = await openRawClient(slow.port);

  stuck.send(Buffer.of(0x16, 0x03, 0x01));
  // The record announces four thousand bytes, which arrive one at a time.
  trickling.send(Buffer.of(0x16, 0x03, 0x01, 0x0f, 0xa0), Buffer.alloc(3_999));

  await Promise.all([stuck.ended(), trickling.ended()]);
});

for (const [protocol, secure] of [
  ['http', undefined],
  ['https', {}],
] as const) {
  test(`headers over ${protocol} that do not end in time are refused as too slow`, async () => {
    await using listener = await open({ headersMs: 30 });
    await using client = await openRawClient(listener.port, secure);

    client.send('GET / HTTP/1.1\r\nHost: loc');

    assert.match(await client.ended(), /^HTTP\/1\.1 408 .*Connection: close.*"code":"request_timeout"/s);
  });

  test(`a body over ${protocol} that does not end in time is refused as too slow`, async () => {
    await using listener = await open({ headersMs: 30, requestMs: 40 }, (incoming) => void incoming.resume());
    await using client = await openRawClient(listener.port, secure);

    client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');

    assert.match(await client.ended(), /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  });

  test(`an idle connection over ${protocol} is closed`, async () => {
    await using listener = await open({ keepAliveMs: 20 });
    await using client = await openRawClient(listener.port, secure);

    client.send(request);

    assert.match(await client.ended(), /^HTTP\/1\.1 200 .*hello$/s);
  });

  test(`a client over ${protocol} that does not read its response is cut off`, async () => {
    const closed = Promise.withResolvers<void>();
    await using listener = await open({ stalledMs: 50 }, (_request, response) => {
      response.on('close', () => closed.resolve());
      response.end(Buffer.alloc(50_000_000));
    });
    await using client = await openRawClient(listener.port, secure);

    client.socket.pause();
    client.send(request);

    await closed.promise;
  });
}

for (const [protocol, secure] of [
  ['http', undefined],
  ['https', {}],
] as const) {
  test(`a client over ${protocol} that pipelines many requests and reads no responses is cut off`, async () => {
    const closed = Promise.withResolvers<void>();
    await using listener = await open({}, ({ socket }, response) => {
      if (socket.listenerCount('close', closed.resolve) === 0) socket.once('close', closed.resolve);
      response.end('x'.repeat(16_000));
    });
    await using client = await openRawClient(listener.port, secure);
    await using other = await openRawClient(listener.port, secure);

    client.socket.pause();
    client.send(request.repeat(400));
    await closed.promise;
    client.socket.resume();
    const heard = await client.ended();
    other.send(request.repeat(32));

    assert.ok(heard.split('HTTP/1.1 200').length - 1 <= 33, 'no more was answered than may wait');
    await eventually(
      () => other.received().split('HTTP/1.1 200').length - 1,
      (answers) => answers === 32,
    );
  });
}

test('a TLS connection without a request is closed', async () => {
  await using listener = await open({ headersMs: 30 });
  await using client = await openRawClient(listener.port, {});

  assert.match(await client.ended(), /^HTTP\/1\.1 408 /);
});

for (const [protocol, secure] of [
  ['http', undefined],
  ['https', {}],
] as const)
  test(`a few pipelined requests over ${protocol} are answered, and too many end the connection`, async () => {
    let asked = 0;
    await using listener = await open({ pipelined: 3 }, (_request, response) => {
      asked += 1;
      setImmediate(() => response.setHeader('Content-Length', 5).end('hello'));
    });
    await using modest = await openRawClient(listener.port, secure);
    await using greedy = await openRawClient(listener.port, secure);

    modest.send(request.repeat(4));
    await modest.until(/(hello.*){4}/s);
    greedy.send(request.repeat(200));
    await greedy.ended();
    modest.send(request.repeat(4));
    await modest.until(/(hello.*){8}/s);

    assert.equal(asked, 9, 'of the greedy one the first alone was worked on');
  });

test('one address gets its share of connections, and can open new ones after it closed some', async () => {
  await using listener = await open({ connectionsPerAddress: 2 });
  await using first = await openRawClient(listener.port, {});
  await using second = await openRawClient(listener.port);
  await using third = await openRawClient(listener.port);

  assert.equal(await third.ended(), '');
  first.send(request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await first.ended();
  await using fourth = await openRawClient(listener.port);
  fourth.send(request);
  second.send(request);

  await Promise.all([fourth.until(/hello/), second.until(/hello/)]);
});

test('the limit per address does not apply to a trusted proxy', async () => {
  const isUncapped = (address: string): boolean => address === '127.0.0.1';
  const listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    tls,
    onRequest: hello,
    isUncapped,
    limits: {
      ...patient,
      connectionsPerAddress: 1,
    },
  });
  await using _closed = { [Symbol.asyncDispose]: () => listener.close(0) };
  const { port } = listener.address;

  await using first = await openRawClient(port);
  await using second = await openRawClient(port);
  for (const client of [first, second]) client.send(request);

  await Promise.all([first.until(/hello/), second.until(/hello/)]);
});

for (const [protocol, secure] of [
  ['HTTP', undefined],
  ['HTTPS', {}],
] as const)
  test(`a verified device over ${protocol} does not count towards the limit, and an unauthenticated client does`, async () => {
    const settles: (() => void)[] = [];
    const listener = await openListener({
      host: '127.0.0.1',
      port: 0,
      tls,
      onRequest: hello,
      onUpgrade(_request, socket, _head, settle) {
        settles.push(settle);
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      },
      limits: { ...patient, connections: 1, connectionsPerAddress: 1 },
    });
    await using _closed = { [Symbol.asyncDispose]: () => listener.close(0) };
    const { port } = listener.address;
    await using device = await openRawClient(port, secure);
    device.send('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    await device.until(/101 Switching/);

    await using refused = await openRawClient(port);
    assert.equal(await refused.ended(), '');
    settles[0]!();
    await using other = await openRawClient(port);
    other.send(request);
    await other.until(/hello/);
    await using third = await openRawClient(port);
    assert.equal(await third.ended(), '');

    assert.equal(device.socket.destroyed, false);
  });

test('connections beyond the total limit are refused', async () => {
  await using listener = await open({ connections: 1 });
  await using first = await openRawClient(listener.port);
  first.send(request);
  await first.until(/hello/);

  await using second = await openRawClient(listener.port);

  assert.equal(await second.ended(), '');
});

test('at the total limit, the address with most connections loses one to a new address', async () => {
  await using listener = await open({ connections: 3 });
  await using first = await openRawClient(listener.port, {});
  await using second = await openRawClient(listener.port, {});
  await using third = await openRawClient(listener.port, {});
  await using other = await openRawClient(listener.port, undefined, '127.0.7.7');

  for (const client of [first, second, other]) client.send(request);

  await Promise.all([first, second, other].map((client) => client.until(/hello/)));
  assert.equal(await third.ended(), '');
  await using more = await openRawClient(listener.port, undefined, '127.0.7.7');
  assert.equal(await more.ended(), '');
});

test('closing ends idle connections at once and accepts no new ones', async () => {
  await using listener = await open({});
  // Connections that have sent no request get a little more time.
  await using silent = await openRawClient(listener.port);
  await using plain = await openRawClient(listener.port);
  await using secure = await openRawClient(listener.port, {});
  for (const client of [plain, secure]) client.send(request);
  await Promise.all([plain.until(/hello/), secure.until(/hello/)]);

  const closed = listener.close(hour);
  await Promise.all([plain.ended(), secure.ended()]);

  assert.equal(silent.socket.destroyed, false);
  silent.socket.destroy();
  await closed;
  await assert.rejects(openRawClient(listener.port), /ECONNREFUSED/);
});

for (const [protocol, secure] of [
  ['http', undefined],
  ['https', {}],
] as const) {
  test(`closing waits for a running ${protocol} request and tells its client that the connection ends`, async () => {
    const listener = await openWaiting();
    await using client = await openRawClient(listener.port, secure);
    client.send(request);
    const response = await listener.nextResponse();

    const closed = listener.close(hour);
    response.end('late but whole');

    assert.match(await client.ended(), /^HTTP\/1\.1 200 .*Connection: close.*late but whole/is);
    await closed;
  });

  test(`closing lets a ${protocol} response finish that has already begun, then ends its connection`, async () => {
    const listener = await openWaiting();
    await using silent = await openRawClient(listener.port);
    await using client = await openRawClient(listener.port, secure);
    client.send(request);
    const response = await listener.nextResponse();
    response.setHeader('Content-Length', 6).write('one');
    await client.until(/one$/);

    const closed = listener.close(hour);
    response.end('two');

    assert.match(await client.ended(), /onetwo$/);
    assert.equal(silent.socket.destroyed, false);
    silent.socket.destroy();
    await closed;
  });
}

test('closing does not disturb a running request while connections without one are closed', async () => {
  const listener = await openWaiting();
  await using busy = await openRawClient(listener.port, {});
  await using silent = await openRawClient(listener.port);
  await using shaken = await openRawClient(listener.port, {});
  await using half = await openRawClient(listener.port);
  half.send('GET / HT');
  busy.send(request);
  const response = await listener.nextResponse();

  const closed = listener.close(hour);
  await Promise.all([silent.ended(), shaken.ended(), half.ended()]);
  response.end('still here');

  assert.match(await busy.ended(), /still here/);
  await closed;
});

test('a request that was half sent when closing began is still answered, as the last on its connection', async () => {
  const listener = await openWaiting();
  await using client = await openRawClient(listener.port, {});
  client.send(request);
  const first = await listener.nextResponse();
  first.setHeader('Content-Length', 3).end('one');
  await client.until(/one$/);
  client.send('GET / HTTP/1.1\r\nHos');
  await using marker = await openRawClient(listener.port);
  marker.send(request);
  (await listener.nextResponse()).end('seen');

  const closed = listener.close(hour);
  const next = listener.nextResponse();
  client.send('t: localhost\r\n\r\n');
  (await next).end('two');

  assert.match(await client.ended(), /one.*Connection: close.*two/is);
  await closed;
});

test('connections that are left after the grace period are cut, and closing twice is the same as closing once', async () => {
  const listener = await openWaiting();
  await using client = await openRawClient(listener.port, {});
  client.send(request);
  await listener.nextResponse();

  const closed = listener.close(20);

  assert.equal(listener.close(hour), closed);
  await closed;
  assert.equal(await client.ended(), '');
});
