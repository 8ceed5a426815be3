/** A relay that runs alone and the servers that control it: who may, what both know after a gap, and what ends without control. */
import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { controlPath, controlProtocol, type RelayMessage } from '@drawbridge/contract/session/relay-control';
import { encodeBody, signedBytes, withSignature } from '@drawbridge/contract/session/signed';
import { createDeviceKey, signWith, type DeviceKey } from '@drawbridge/agent/uplink/keys';
import { createControlClient } from '@drawbridge/relay/control/control-client';
import { createRemoteRelay } from '@drawbridge/relay/control/remote-relay';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { fingerprintOf } from '@drawbridge/server/tls/pins';
import { eventually } from '../../kit/eventually.ts';
import { openRelayPort } from '../../kit/nodes/relay-port.ts';
import { joinRelay, type RelayPeer } from '../../kit/session/session-ends.ts';

const unixtime = (): number => Math.floor(Date.now() / 1_000);
const newPair = (): string => randomBytes(16).toString('base64url');
const toControlKey = (key: DeviceKey) => ({
  publicKey: key.publicKey,
  sign: (statement: string) => signWith(key.privateKey, statement),
});

let tls: Awaited<ReturnType<typeof createSelfSigned>>;
before(async () => {
  tls = await createSelfSigned(['localhost'], new Date());
});

interface Options {
  graceSeconds?: number;
  /** What the relay says about its certificate. */
  certificate?: string;
  /** The key with which it signs, if another than the one that it names. */
  signer?: DeviceKey;
}

/** A relay that knows two servers. */
async function startRelay({
  graceSeconds = 30,
  certificate = fingerprintOf(tls.cert),
  signer,
}: Options = {}) {
  const [key, ...servers] = [createDeviceKey(), createDeviceKey(), createDeviceKey()] as const;
  const relay = createRemoteRelay({
    key: toControlKey({ ...key, privateKey: (signer ?? key).privateKey }),
    serverKeys: servers.map(({ publicKey }) => publicKey),
    version: '1.2.3',
    certificate: () => certificate,
    now: unixtime,
    limits: { checkEveryMs: 20 },
    graceSeconds,
  });
  const port = await openRelayPort(relay, tls);
  const { origin } = port;
  const open: { close(): void }[] = [];
  const peers: RelayPeer[] = [];
  return {
    relay,
    origin,
    key,
    servers,
    /** Controls the relay as this server, and records what it reports. */
    control(server: DeviceKey, { node = '', pairs = [] as string[], relayKey = key.publicKey } = {}) {
      const messages: RelayMessage[] = [];
      const downs: string[] = [];
      const client = createControlClient({
        url: origin,
        relayKey,
        server: toControlKey(server),
        node,
        introduce: () => ({ origin: 'https://localhost', pairs }),
        onMessage: (message) => messages.push(message),
        onDown: (why) => downs.push(why),
      });
      open.push(client);
      const got = (kind: RelayMessage['kind']) =>
        eventually(
          () => messages.find((message) => message.kind === kind),
          (message) => message !== undefined,
        );
      return { ...client, messages, downs, got };
    },
    /** One side of a session of this server. */
    join(
      server: DeviceKey,
      side: 'operator' | 'device',
      some: { pair: string; node?: string; exp?: number; relay?: string },
    ) {
      const body = encodeBody('remote_ticket', {
        v: 1,
        side,
        permissions: [],
        exp: unixtime() + 60,
        relay: key.publicKey,
        ...some,
      });
      const signature = sign(null, signedBytes('remote_ticket', body), createPrivateKey(server.privateKey));
      const peer = joinRelay({ relay: `${origin}/relay`, ticket: withSignature(body, signature) });
      peers.push(peer);
      return peer;
    },
    async [Symbol.asyncDispose]() {
      open.forEach((client) => client.close());
      for (const peer of peers) peer.socket.terminate();
      await port[Symbol.asyncDispose]();
    },
  };
}

const helloOf = ({ publicKey: key }: DeviceKey) => ({
  kind: 'hello',
  version: 1,
  key,
  node: '',
  nonce: newPair().padEnd(43, 'A'),
});

const welcomeOf = async (control: { got(kind: 'welcome'): Promise<RelayMessage | undefined> }) =>
  (await control.got('welcome')) as Extract<RelayMessage, { kind: 'welcome' }>;

test('only servers in the settings control a relay, and only the relay in the settings is controlled', async () => {
  await using fixture = await startRelay();
  const stranger = fixture.control(createDeviceKey());
  const elsewhere = fixture.control(fixture.servers[0], { relayKey: createDeviceKey().publicKey });

  await eventually(
    () => [stranger.downs.length, elsewhere.downs.length],
    ([one, two]) => one! > 0 && two! > 0,
  );

  assert.match(stranger.downs[0]!, /does not know the key of this server/);
  assert.match(elsewhere.downs[0]!, /does not have the key/);
  assert.equal(fixture.relay.servers(), 0);
});

test('one network that keeps opening control connections without a key does not keep a server away', async () => {
  await using fixture = await startRelay();
  const open = new Set<WebSocket>();
  const knock = (localAddress: string): Promise<number> => {
    const options = { rejectUnauthorized: false, localAddress };
    const socket = new WebSocket(fixture.origin + controlPath, controlProtocol, options).on(
      'error',
      () => {},
    );
    open.add(socket);
    return Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode as number),
    ]);
  };
  const statuses = await Promise.all(Array.from({ length: 100 }, () => knock('127.0.0.2')));
  const fromElsewhere = await knock('127.0.0.1');
  const server = fixture.control(fixture.servers[0]);

  await server.got('welcome');
  for (const socket of open) socket.terminate();

  assert.deepEqual([new Set(statuses), fromElsewhere], [new Set([101, 503]), 101]);
});

test('a server or a relay that names a key without holding it is refused', async () => {
  const thief = createDeviceKey();
  await using fixture = await startRelay();
  await using impostor = await startRelay({ signer: thief });
  const [{ publicKey }] = fixture.servers;
  const server = fixture.control({ publicKey, privateKey: thief.privateKey });
  const deceived = impostor.control(impostor.servers[0]);

  await eventually(
    () => [server.downs.length, deceived.downs.length],
    ([one, two]) => one! > 0 && two! > 0,
  );

  assert.match(server.downs[0]!, /does not know the key of this server/);
  assert.match(deceived.downs[0]!, /does not have the key/);
  assert.deepEqual([fixture.relay.servers(), impostor.relay.servers()], [0, 0]);
  assert.deepEqual([server.messages, deceived.messages], [[], []]);
});

test('a relay obeys nobody who has only named a key', async () => {
  await using fixture = await startRelay();
  const [server] = fixture.servers;
  const control = fixture.control(server);
  await control.got('welcome');
  const pair = newPair();
  const operator = fixture.join(server, 'operator', { pair });
  await control.got('joined');
  const socket = new WebSocket(`${fixture.origin}${controlPath}`, controlProtocol, {
    rejectUnauthorized: false,
  });
  await once(socket, 'open');

  socket.send(JSON.stringify(helloOf(server)));
  await once(socket, 'message');
  socket.send(JSON.stringify({ kind: 'close', pair, reason: 'mine' }));
  const [code] = (await once(socket, 'close')) as [number];

  assert.equal(code, relayCloseCodes.refused.code);
  assert.equal(operator.socket.readyState, WebSocket.OPEN);
});

test('a server believes no relay that has not proved its key', async () => {
  const relay = createServer({ cert: tls.cert, key: tls.key });
  const sockets = new WebSocketServer({ server: relay, handleProtocols: () => controlProtocol });
  sockets.on('connection', (socket) =>
    socket.send(JSON.stringify({ kind: 'welcome', sessions: [], version: '1.2.3', now: unixtime() })),
  );
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const messages: RelayMessage[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const client = createControlClient({
    url: `wss://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    relayKey: createDeviceKey().publicKey,
    server: toControlKey(createDeviceKey()),
    node: '',
    introduce: () => ({ origin: 'https://localhost', pairs: [] }),
    onMessage: (message) => messages.push(message),
    onDown: resolve,
  });

  assert.match(await promise, /did not prove its key/);
  assert.deepEqual(messages, []);
  client.close();
  sockets.clients.forEach((socket) => socket.terminate());
  relay.close();
});

test('nobody but a server in the settings is heard at length', async () => {
  await using fixture = await startRelay();
  const socket = new WebSocket(`${fixture.origin}${controlPath}`, controlProtocol, {
    rejectUnauthorized: false,
  });
  await once(socket, 'open');

  socket.send(JSON.stringify({ ...helloOf(fixture.servers[0]), addition: ' '.repeat(1_024) }));
  const [code] = (await once(socket, 'close')) as [number];

  assert.equal(code, relayCloseCodes.not_understood.code);
});

test('a relay that signs another certificate than the one presented is not controlled', async () => {
  await using fixture = await startRelay({ certificate: 'another' });
  const control = fixture.control(fixture.servers[0]);

  await eventually(
    () => control.downs,
    ({ length }) => length > 0,
  );

  assert.match(control.downs[0]!, /does not have the key/);
});

test('without the control of its server, after its time, or at another relay, a ticket admits nobody', async () => {
  await using fixture = await startRelay();
  const [one, two] = fixture.servers;
  await fixture.control(one).got('welcome');

  const unknown = await fixture.join(two, 'operator', { pair: newPair() }).closed;
  const otherNode = await fixture.join(one, 'operator', { pair: newPair(), node: 'b' }).closed;
  const expired = await fixture.join(one, 'operator', { pair: newPair(), exp: unixtime() - 5 }).closed;
  const elsewhere = { pair: newPair(), relay: createDeviceKey().publicKey };
  const otherRelay = await fixture.join(one, 'operator', elsewhere).closed;

  const { unreachable, refused } = relayCloseCodes;
  assert.deepEqual([unknown.code, otherNode.code], [unreachable.code, unreachable.code]);
  assert.deepEqual([expired.code, otherRelay.code], [refused.code, refused.code]);
});

test('a server ends its own sessions only, and joins no session of another', async () => {
  await using fixture = await startRelay();
  const [one, two] = fixture.servers;
  const [mine, foreign] = [fixture.control(one), fixture.control(two)];
  await Promise.all([mine.got('welcome'), foreign.got('welcome')]);
  const pair = newPair();
  const operator = fixture.join(one, 'operator', { pair });
  await mine.got('joined');

  foreign.send({ kind: 'close', pair, reason: 'mine' });
  const intruder = await fixture.join(two, 'device', { pair }).closed;
  fixture.join(one, 'device', { pair });
  await operator.paired;
  mine.send({ kind: 'close', pair, reason: 'The right was taken away.' });

  assert.equal(intruder.code, relayCloseCodes.unreachable.code);
  assert.deepEqual(await operator.closed, {
    code: relayCloseCodes.ended.code,
    reason: 'The right was taken away.',
  });
  await mine.got('end');
  assert.equal(foreign.messages.length, 1);
});

test('a server cannot revoke the tickets of another', async () => {
  await using fixture = await startRelay();
  const [one, two] = fixture.servers;
  const [mine, foreign] = [fixture.control(one), fixture.control(two)];
  await Promise.all([mine.got('welcome'), foreign.got('welcome')]);
  const [pair, theirs] = [newPair(), newPair()];
  fixture.join(two, 'operator', { pair: theirs });
  await foreign.got('joined');

  for (const each of [pair, theirs]) foreign.send({ kind: 'close', pair: each, reason: 'mine' });
  await foreign.got('end');
  const operator = fixture.join(one, 'operator', { pair });
  fixture.join(one, 'device', { pair });

  await operator.paired;
});

test('after a gap the server learns the bytes of what goes on, the ends that it missed, and what it does not know ends', async () => {
  await using fixture = await startRelay();
  const [server] = fixture.servers;
  const first = fixture.control(server);
  await first.got('welcome');
  const pairs = [newPair(), newPair(), newPair()] as const;
  const sides = pairs.map((pair) => ({
    operator: fixture.join(server, 'operator', { pair }),
    device: fixture.join(server, 'device', { pair }),
  }));
  await Promise.all(sides.map(({ operator }) => operator.paired));
  first.close();
  await eventually(fixture.relay.servers, (count) => count === 0);
  const arrived = once(sides[0]!.device.socket, 'message');
  sides[0]!.operator.socket.send(Buffer.from([0x05, 1, 2, 3]));
  await arrived;
  sides[1]!.operator.socket.close(1_000);
  await sides[1]!.device.closed;

  const second = fixture.control(server, { pairs: [pairs[0], pairs[1]] });
  const { sessions } = await welcomeOf(second);

  assert.deepEqual(sessions, [{ pair: pairs[0], paired: true, bytes: 4 }]);
  assert.equal(
    second.messages.find((message) => message.kind === 'end' && message.pair === pairs[1])?.kind,
    'end',
  );
  assert.equal((await sides[2]!.operator.closed).code, relayCloseCodes.stopping.code);
  assert.equal(sides[0]!.operator.socket.readyState, 1);
});

test('sessions whose server stays away are released after the grace period, and not before', async () => {
  await using patient = await startRelay();
  await using fixture = await startRelay({ graceSeconds: 0 });
  const lose = async ({ servers: [server], ...relay }: typeof fixture): Promise<RelayPeer> => {
    const control = relay.control(server);
    await control.got('welcome');
    const pair = newPair();
    const operator = relay.join(server, 'operator', { pair });
    relay.join(server, 'device', { pair });
    await operator.paired;
    control.close();
    await eventually(relay.relay.servers, (count) => count === 0);
    return operator;
  };

  const goesOn = await lose(patient);
  const operator = await lose(fixture);

  assert.equal((await operator.closed).code, relayCloseCodes.stopping.code);
  assert.equal(goesOn.socket.readyState, WebSocket.OPEN);
});
