/** Devices that send hello and are not admitted: they slow down their own network, and nobody else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDeviceKey, type DeviceKey } from '@drawbridge/agent/uplink/keys';
import { random, digestOf } from '@drawbridge/server/edges/random';
import { loadIdentity } from '@drawbridge/server/gateway/devices/identity';
import { createDeviceHandshake } from '@drawbridge/server/gateway/devices/device-handshake';
import { createKeyedQueue } from '@drawbridge/server/edges/keyed-queue';
import { createLog } from '@drawbridge/server/edges/log';
import type { Store } from '@drawbridge/server/store/store';
import { WebSocketServer } from 'ws';
import { must } from '../kit/server/account.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';
import { openRogueDevice, type RogueDevice } from '../kit/hostile/rogue-device.ts';
import { openAccount } from '../suites/store/fixture.ts';
import { openTestStore } from '../suites/store/test-store.ts';

/** Only the handshake of devices. They declare their address, and each network may fail three hellos or messages. */
async function openFixture() {
  const stack = new AsyncDisposableStack();
  const { store } = stack.use(await openTestStore('sqlite'));
  const handshake = createDeviceHandshake({
    store,
    identity: await loadIdentity(store),
    certificate: () => '',
    geoOf: (ip) => ({ ip, country: '', region: '', city: '' }),
    random,
    digestOf,
    heartbeatSeconds: 20,
    log: createLog({ level: 'info', stream: { write() {} } }),
    queue: createKeyedQueue(),
    isFull: () => false,
    hellos: { perSecond: 0, burst: 3 },
    violations: { perSecond: 0, burst: 3 },
  });
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer().on('upgrade', (request, wire, head) =>
    sockets.handleUpgrade(request, wire, head, (socket) => {
      void handshake
        .run(socket, wire, String(request.headers.from))
        .then((authenticated) => authenticated && socket.close(1_000, 'let in'));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connect = (from: string, key = createDeviceKey()): Promise<RogueDevice> =>
    openRogueDevice(url, { key, headers: { from } });
  /** The outcome for a device that sends hello with a new key, which is unknown unless it brings a token. */
  const tryToEnter = async (from: string, token?: string, key?: DeviceKey): Promise<string> => {
    await using outsider = await connect(from, key);
    outsider.prove(await outsider.hello(token === undefined ? {} : { token }));
    return (await outsider.closed).reason;
  };
  return { store, handshake, connect, tryToEnter, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A token for ten devices. */
async function enrolmentIn(store: Store): Promise<string> {
  const { accountId, owner } = await openAccount(store);
  const [token, expireTime] = [random.token(), store.now() + 60];
  const enrolment = { digest: digestOf(token), groupId: null, uses: 10, expireTime };
  await must(store, 'enroll/create', { accountId, memberId: owner.id, ...enrolment });
  return token;
}

test('hellos without a proof slow down their own network, and no other', async () => {
  await using fixture = await openFixture();
  for (let count = 1; count <= 3; count++) {
    await using silent = await fixture.connect(`2001:db8::${count}`);
    await silent.hello();
  }

  assert.equal(await fixture.tryToEnter('2001:db8::9'), 'too often');
  assert.equal(await fixture.tryToEnter('2001:db8:0:1::9'), 'unlinked');
  assert.equal(await fixture.tryToEnter('192.0.2.1'), 'unlinked');
});

test('unknown keys count too: anyone can generate one and prove it', async () => {
  await using fixture = await openFixture();
  const reasons = [];
  for (let count = 1; count <= 4; count++) reasons.push(await fixture.tryToEnter(`2001:db8::${count}`));

  assert.deepEqual(reasons, ['unlinked', 'unlinked', 'unlinked', 'too often']);
});

test('a known device reconnects despite hellos without a proof, as often as devices reconnect', async () => {
  await using fixture = await openFixture();
  const token = await enrolmentIn(fixture.store);
  const [key, other] = [createDeviceKey(), createDeviceKey()];
  assert.equal(await fixture.tryToEnter('192.0.2.1', token, key), 'let in');
  for (let count = 1; count <= 3; count++) {
    await using silent = await fixture.connect('192.0.2.1');
    await silent.hello();
  }

  assert.equal(await fixture.tryToEnter('192.0.2.1', undefined, other), 'too often');
  assert.equal(await fixture.tryToEnter('192.0.2.1', undefined, key), 'let in');
  for (let count = 1; count <= 5; count++) {
    await using copy = await fixture.connect('192.0.2.1', key);
    await copy.hello();
  }
  assert.equal(await fixture.tryToEnter('192.0.2.1', undefined, key), 'too often');
});

test('devices that are admitted cost their network nothing, however many there are', async () => {
  await using fixture = await openFixture();
  const token = await enrolmentIn(fixture.store);
  const reasons = [];
  for (let count = 1; count <= 11; count++) reasons.push(await fixture.tryToEnter('192.0.2.1', token));

  assert.deepEqual(reasons, [...Array<string>(10).fill('let in'), 'invalid_token']);
});

test('malformed messages block the network they come from, and no other', async () => {
  await using fixture = await openFixture();
  const wrong = ['{"kind":"hardware"}', '{', `{"kind":"hello","more":"${'a'.repeat(4_096)}"}`];
  for (const [count, message] of wrong.entries()) {
    await using outsider = await fixture.connect(`2001:db8::${count}`);
    outsider.send(message);
    assert.deepEqual(await outsider.closed, { code: 4_000, reason: 'not understood' });
  }

  assert.equal(fixture.handshake.isBlocked('2001:db8::9'), true);
  assert.equal(fixture.handshake.isBlocked('2001:db8:0:1::9'), false);
  assert.equal(fixture.handshake.isBlocked('192.0.2.1'), false);
});

test('too many bytes count too, and anything sent instead of a proof', async () => {
  await using fixture = await openFixture();
  for (const message of ['a'.repeat(70_000), '{"kind":"facts"}', Buffer.from([1])]) {
    await using outsider = await fixture.connect('192.0.2.1');
    await outsider.hello();
    outsider.send(message);
    await outsider.closed;
  }

  assert.equal(fixture.handshake.isBlocked('192.0.2.1'), true);
});

test('devices that disconnect, are unknown or fail the proof do not block their network', async () => {
  await using fixture = await openFixture();
  for (let count = 0; count < 5; count += 1) {
    await using silent = await fixture.connect('192.0.2.1');
    silent.socket.close();
    await silent.closed;
  }
  await fixture.tryToEnter('192.0.2.1');

  assert.equal(fixture.handshake.isBlocked('192.0.2.1'), false);
});

test('three hundred sockets with malformed messages do not keep a known device of their network away', async () => {
  await using service = await startService();
  const { owner } = await service.account();
  const { baseUrl } = service.testClient;
  await using device = await openRogueDevice(baseUrl);
  await device.enter(await createEnrolToken(owner));
  device.socket.close();
  await device.closed;

  for (let count = 0; count < 300; count += 1) {
    const outsider = await openRogueDevice(baseUrl).catch(() => undefined);
    outsider?.send('{');
    await outsider?.closed;
  }
  await using back = await openRogueDevice(baseUrl, { key: device.key });

  assert.equal((await back.enter()).kind, 'welcome');
});
