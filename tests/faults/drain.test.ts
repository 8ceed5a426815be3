/** A server that is stopped beside another one on the same PostgreSQL and NATS: what it held goes on there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { eventually } from '../kit/eventually.ts';
import { openRogueDevice } from '../kit/hostile/rogue-device.ts';
import type { ServerProcess } from '../kit/process.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { openRawClient, type RawClient } from '../kit/server/raw-client.ts';
import { openTestClient } from '../kit/server/test-client.ts';
import { startTwoServers, type TwoServers } from '../kit/server/two-servers.ts';
import {
  joinRelay,
  linkCode,
  openSessionLink,
  postToSession,
  randomKey,
  readRefusal,
  startFakeDevice,
} from '../kit/session/session-ends.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');
const noticeSeconds = 3;

const portOf = ({ url }: ServerProcess): number => Number(new URL(url).port);

/** One of the two, as a service for tests. */
function serviceAt(server: ServerProcess, { folder }: TwoServers) {
  const running = {
    config: { listen: { port: portOf(server) }, publicUrl: server.url },
    certificate: { certFile: `${folder}/tls/cert.pem` },
  } as never;
  return { server: running, testClient: openTestClient(running) };
}

/** A request whose last byte is still to come. */
async function beginRequest(server: ServerProcess, apiKey: string): Promise<RawClient> {
  const client = await openRawClient(portOf(server), {});
  client.send(
    'POST /v1/groups/create HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n',
    `X-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 19\r\n\r\n{"name":"finished"`,
  );
  await client.until(/^HTTP\/1\.1 100 Continue/);
  return client;
}

/** A device at one server, in a session whose relay is there too. */
async function connectSession(two: TwoServers) {
  const { one, here } = two;
  const device = await startFakeDevice(one.url, await createEnrolToken(here));
  await waitUntilOnline(here, device.id);
  const link = async (): Promise<string> =>
    (await here.call('agents/connect', { agent_id: device.id })).body['data'].url;
  const opened = await openSessionLink(serviceAt(one, two), await link());
  const operator = joinRelay(opened);
  await operator.paired;
  return { device, opened, operator, unusedLink: await link() };
}

test(
  'a server that is stopped lets load balancers notice, moves devices and sessions to the other and finishes requests',
  { skip },
  async () => {
    await using two = await startTwoServers({ DRAWBRIDGE_DRAIN_NOTICE_SECONDS: String(noticeSeconds) });
    const { one, other, here, there } = two;
    const [atOne, atOther] = [serviceAt(one, two), serviceAt(other, two)];
    const { device, opened, operator, unusedLink } = await connectSession(two);
    await using session = operator;
    await using request = await beginRequest(one, here.apiKey);
    await using stalled = await openRawClient(portOf(one), {});
    stalled.send('GET /healthz HTTP/1.1\r\n');

    using stopping = startStopwatch();
    one.signal('SIGTERM');

    // It still answers, but takes nothing that would have to leave again.
    const ready = () => atOne.testClient.send({ path: '/readyz' });
    assert.equal((await eventually(ready, ({ http }) => http === 503)).text, 'not ready\n');
    assert.equal((await here.call('groups/list')).http, 200);
    await assert.rejects(openRogueDevice(one.url), /503/);
    const open = { code: linkCode(unusedLink), key: randomKey() };
    assert.deepEqual(readRefusal(await postToSession(atOne, 'open', open)), [429, 'busy']);
    assert.equal(device.rogue.socket.readyState, device.rogue.socket.OPEN);

    // The session stays until its device is at the other server, also after connections without a request are closed.
    assert.deepEqual(await device.rogue.next('move'), { kind: 'move', after_seconds: 0 });
    assert.deepEqual(await device.rogue.closed, { code: 1_012, reason: 'the server stops' });
    await stalled.ended();
    assert.equal(session.socket.readyState, session.socket.OPEN);
    await using moved = await openRogueDevice(other.url, { key: device.rogue.key });
    await moved.enter();
    assert.deepEqual(await session.closed, { code: 1_012, reason: 'The relay is stopping.' });
    await waitUntilOnline(there, device.id);
    const resume = { session: opened.session, secret: opened.secret, key: randomKey() };
    const resumed = postToSession(atOther, 'resume', resume);
    const { number, name, input } = await moved.next('command');
    moved.send({ kind: 'answer', number, done: {} });
    const reply = JSON.parse((await resumed).text) as OpenReply;
    await using peer = joinRelay(input as never);
    await using again = joinRelay(reply);
    await Promise.all([peer.paired, again.paired]);

    request.send('}');
    assert.match(await request.ended(), /HTTP\/1\.1 200 OK\r\n/);
    assert.equal(await one.gone, 0);
    const stoppedAfter = stopping.ms();
    assert.ok(stoppedAfter < 30_000, `it took ${stoppedAfter} ms`);
    assert.equal(name, 'session');
    assert.equal((await there.call('groups/list')).body['data'][0].name, 'finished');
  },
);
