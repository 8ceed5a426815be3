/** A relay in another region that carries the sessions of three servers on one database. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { eventually } from '../kit/eventually.ts';
import { prepareRelay, printedServerKey } from '../kit/nodes/relay-process.ts';
import { startThreeServers, type ThreeServers } from '../kit/nodes/three-servers.ts';
import type { ServerProcess } from '../kit/process.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { createPersonAt } from '../kit/server/person-at.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { joinRelay, openSessionLink, postToSession, startFakeDevice } from '../kit/session/session-ends.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');
/** A frame that relays pass on without understanding it. */
const frame = Buffer.from([0x05, 1, 2, 3]);
const trips = [{ name: 'oslo', ms: 1 }];

describe('a relay in another region with three servers', { skip }, () => {
  const cleanup = new AsyncDisposableStack();
  let three: ThreeServers;
  let relayUrl: string;

  const at = ({ url }: ServerProcess) => {
    const server = {
      config: { listen: { port: Number(new URL(url).port) }, publicUrl: three.balancer.url },
      certificate: { certFile: `${three.folder}/tls/cert.pem` },
    } as never;
    return { server, testClient: openTestClient(server) };
  };
  const ownerAt = ({ url }: ServerProcess) => createPersonAt(url, three.person.apiKey, three.folder);
  const isOffered = async (server: ServerProcess): Promise<boolean> => {
    const { text } = await postToSession(at(server), 'relays', {});
    return (JSON.parse(text) as { relays: { name: string }[] }).relays.some(({ name }) => name === 'oslo');
  };

  before(async () => {
    const relay = cleanup.use(await prepareRelay('oslo'));
    relayUrl = relay.url;
    three = cleanup.use(await startThreeServers({ DRAWBRIDGE_RELAYS: relay.entry }));
    const serverKey = await printedServerKey({ ...three.env, DRAWBRIDGE_DATA: three.servers[0]!.folder });
    cleanup.use(await relay.start({ serverKey, certificates: join(three.folder, 'tls') }));
    for (const server of three.servers)
      await eventually(
        () => isOffered(server),
        (is) => is,
      );
  });
  after(() => cleanup.disposeAsync());

  for (const revokedAt of [0, 1, 2])
    test(`a session opened at one server, with the device at another, ends when it is revoked at server ${revokedAt + 1}`, async () => {
      const [first, second] = three.servers as [ServerProcess, ServerProcess];
      three.sendTo([second]);
      await using device = await startFakeDevice(three.balancer.url, await createEnrolToken(three.person), 8);
      device.roundTrips = trips;
      await waitUntilOnline(three.person, device.id);
      const { url } = (await ownerAt(first).call('agents/connect', { agent_id: device.id })).body['data'];

      const opened = await openSessionLink(at(first), url, trips);
      await using operator = joinRelay(opened);
      await operator.paired;
      const received = new Promise((resolve) => {
        device.peers[0]!.socket.on('message', (data, isBinary) => isBinary && resolve(data));
      });
      operator.socket.send(frame);
      assert.deepEqual([opened.relay, await received], [relayUrl, frame]);
      await ownerAt(three.servers[revokedAt]!).call('agents/logout', { id: device.id });

      assert.equal((await operator.closed).code, relayCloseCodes.ended.code);
    });
});
