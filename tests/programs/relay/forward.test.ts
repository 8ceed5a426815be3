/** Connections that arrive at another node than the one that holds their session. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { countingProtocol, countRequest, formatCount } from '@drawbridge/contract/session/direct-count';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { forwardedHeader, type NodeEndpoint } from '@drawbridge/relay/forwarder';
import type { PairingReport } from '@drawbridge/relay/pairing';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { fingerprintOf } from '@drawbridge/server/tls/pins';
import { eventually } from '../../kit/eventually.ts';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { startStopwatch } from '../../kit/stopwatch.ts';
import { createTestPeer, newPair, startedAt, startRelay, type RelayFixture } from './fixture.ts';

interface TwoNodes extends AsyncDisposable {
  /** The node that clients connect to. */
  entry: RelayFixture;
  /** The node that holds the sessions of its name. */
  home: Relay;
  /** The sessions of the home node that have ended. */
  ended: PairingReport[];
  endpoint: NodeEndpoint;
  /** Advances the clock of the home node. */
  advance(seconds: number): void;
}

async function startTwoNodes(homeId = 'home'): Promise<TwoNodes> {
  const endpoint: NodeEndpoint = { address: '', certificate: '' };
  const find = async (id: string) => (id === 'gone' ? undefined : endpoint);
  const entry = await startRelay({}, { id: 'entry', find });
  const pair = await makeKeyPair();
  const serverKeys = [entry.signer.publicKey];
  const ended: PairingReport[] = [];
  let clockMs = 0;
  const home = createRelay({
    serverKeys,
    origins: [],
    now: () => startedAt,
    nodes: { id: homeId, find },
    limits: { lastCountSeconds: 0.2, checkEveryMs: 5 },
    clock: () => clockMs,
    onEnd: (report) => ended.push(report),
  });
  const server = createServer(pair).listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket, head) =>
    home.upgrade(request, socket, head, { narrow: 'entry', wide: 'entry' }),
  );
  await once(server, 'listening');
  endpoint.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  endpoint.certificate = fingerprintOf(pair.cert);
  return {
    entry,
    home,
    ended,
    endpoint,
    advance: (seconds) => void (clockMs += seconds * 1_000),
    async [Symbol.asyncDispose]() {
      await entry[Symbol.asyncDispose]();
      await home.closeAll();
      server.close();
    },
  };
}

test('both sides are passed on, with their frames and the reason of the end', async () => {
  await using nodes = await startTwoNodes();
  const { entry, home } = nodes;
  const pair = newPair();
  const operator = await entry.come({ pair, side: 'operator', node: 'home' });
  const device = await entry.come({ pair, side: 'device', node: 'home' });
  await Promise.all([operator.paired(), device.paired()]);
  const frame = Buffer.alloc(300_000, 0xff);
  for (let sent = 0; sent < 5; sent++) device.socket.send(frame);
  const received = await operator.got(5);
  home.close(pair, 'The right was revoked.');

  assert.ok(received.every((each) => each.equals(frame)));
  for (const side of [operator, device])
    assert.deepEqual(await side.closed, {
      code: relayCloseCodes.ended.code,
      reason: 'The right was revoked.',
    });
  assert.equal(entry.relay.stats().sessions, 0);
});

for (const [what, isAnswering, bytes] of [
  ['are in the report', true, 7_000],
  ['are known as of the last report if the device does not answer', false, 1_000],
] as const)
  test(`the last bytes of a direct connection of a device that was passed on ${what}`, async () => {
    await using nodes = await startTwoNodes();
    const { entry, home, ended } = nodes;
    const pair = newPair();
    const operator = await entry.come({ pair, side: 'operator', node: 'home' });
    const device = await entry.come({ pair, side: 'device', node: 'home' }, [
      countingProtocol,
      relayProtocol,
    ]);
    await Promise.all([operator.paired(), device.paired()]);
    device.socket.send(formatCount(1_000));
    await eventually(
      () => home.bytesOf(pair),
      (counted) => counted === 1_000,
    );
    if (isAnswering)
      device.socket.on('message', (data) => {
        if (String(data) === countRequest) device.socket.send(formatCount(7_000));
      });
    operator.socket.close(1_000);

    const [report] = await eventually(
      () => ended,
      ({ length }) => length === 1,
    );
    assert.deepEqual([report!.directBytes, report!.by], [bytes, 'operator']);
    assert.equal((await device.closed).code, relayCloseCodes.gone.code);
  });

test('a side that leaves is gone for the other, through the other node', async () => {
  await using nodes = await startTwoNodes();
  const { entry } = nodes;
  const pair = newPair();
  const operator = await entry.come({ pair, side: 'operator', node: 'home' });
  const device = await entry.come({ pair, side: 'device', node: 'home' });
  await Promise.all([operator.paired(), device.paired()]);
  device.socket.terminate();

  assert.equal((await operator.closed).code, relayCloseCodes.gone.code);
});

test('a ticket is not shown to a node with another certificate', async () => {
  await using nodes = await startTwoNodes();
  const { entry, home, endpoint } = nodes;
  endpoint.certificate = fingerprintOf((await makeKeyPair()).cert);
  const operator = await entry.come({ node: 'home' });

  assert.equal((await operator.closed).code, relayCloseCodes.unreachable.code);
  assert.deepEqual([home.stats().waiting, home.stats().refused], [0, 0]);
});

test('a node that does not respond ends the session of the client, and does not keep it waiting', async () => {
  await using nodes = await startTwoNodes();
  const silent = createTcpServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  nodes.endpoint.address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  using started = startStopwatch();
  const operator = await nodes.entry.come({ node: 'home' });
  const { code } = await operator.closed;
  const closedAfter = started.ms();
  silent.close();

  assert.equal(code, relayCloseCodes.unreachable.code);
  assert.ok(closedAfter < 5_000, `the client was told after ${closedAfter} ms`);
});

test('a node is believed only with a ticket of this deployment that was not used at this node', async () => {
  await using nodes = await startTwoNodes();
  const { entry, endpoint } = nodes;
  const port = Number(endpoint.address.split(':')[1]);
  const asNode = { rejectUnauthorized: false, headers: { [forwardedHeader]: '1' } };
  const codeFor = async (ticket: string): Promise<number> => {
    const peer = createTestPeer(port, asNode);
    await once(peer.socket, 'open');
    peer.socket.send(ticket);
    return (await peer.closed).code;
  };
  const used = entry.ticket({ node: 'home' });
  const first = createTestPeer(port, asNode);
  await once(first.socket, 'open');
  first.socket.send(used);
  await eventually(
    () => nodes.home.stats().waiting,
    (waiting) => waiting === 1,
  );
  const foreign = await startRelay();
  const ofAnother = foreign.ticket({ node: 'home' });
  await foreign[Symbol.asyncDispose]();

  const codes = [await codeFor(used), await codeFor(ofAnother), await codeFor('no ticket')];
  first.socket.terminate();

  const { refused } = relayCloseCodes;
  assert.deepEqual(codes, [refused.code, refused.code, refused.code]);
});

test('the node that holds a session shows the others each second that it lives, though it may not read', async () => {
  await using nodes = await startTwoNodes();
  const port = Number(nodes.endpoint.address.split(':')[1]);
  const entry = createTestPeer(port, { rejectUnauthorized: false, headers: { [forwardedHeader]: '1' } });
  await once(entry.socket, 'open');
  entry.socket.send(nodes.entry.ticket({ node: 'home' }));
  await eventually(
    () => nodes.home.stats().waiting,
    (waiting) => waiting === 1,
  );
  const pinged = once(entry.socket, 'ping');
  nodes.advance(1.1);

  await pinged;
  entry.socket.terminate();
});

test('a session of a node that is gone cannot be reached', async () => {
  await using nodes = await startTwoNodes();
  const operator = await nodes.entry.come({ node: 'gone' });

  assert.equal((await operator.closed).code, relayCloseCodes.unreachable.code);
});

test('a connection is not passed on twice, though another node has taken the address', async () => {
  await using nodes = await startTwoNodes('newcomer');
  const operator = await nodes.entry.come({ node: 'home' });

  assert.equal((await operator.closed).code, relayCloseCodes.unreachable.code);
});

test('a client that sends frames before the session begins is disconnected', async () => {
  await using nodes = await startTwoNodes();
  const operator = await nodes.entry.come({ node: 'home' });
  operator.send(1, 2, 3);

  assert.equal((await operator.closed).code, relayCloseCodes.not_understood.code);
});

test('a ticket is passed on once', async () => {
  await using nodes = await startTwoNodes();
  const pair = newPair();
  await nodes.entry.come({ pair, node: 'home' });
  const again = await nodes.entry.come({ pair, node: 'home' });

  assert.equal((await again.closed).code, relayCloseCodes.refused.code);
});
