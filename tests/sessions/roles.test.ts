/** Servers that share one deployment by roles: requests, devices and sessions meet although each arrives at another process. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { WebSocket } from 'ws';
import { skipWithout } from '../kit/requirements.ts';
import { openDatabaseFor } from '../kit/server/database.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startNats } from '../kit/server/nats.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';
import { joinRelay, openSessionLink, startFakeDevice } from '../kit/session/session-ends.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

const portOf = ({ server }: TestService): number => server.config.listen.port;

async function startByRoles() {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const database = await openDatabaseFor('postgres');
  stack.defer(() => database.drop());
  const shared = stack.use(await createSharedSettings());
  const start = async (roles: string, settings: Record<string, string> = {}): Promise<TestService> => {
    const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url, ...settings };
    return stack.use(await startService({ env: { ...env, DRAWBRIDGE_ROLES: roles }, realTime: true }));
  };
  const common = { DRAWBRIDGE_PUBLIC_URL: 'https://localhost:1' };
  const relay = await start('relay', common);
  const relayUrl = { DRAWBRIDGE_RELAY_URL: `wss://localhost:${portOf(relay)}` };
  const api = await start('relay,api', { ...common, ...relayUrl });
  const gateway = await start('gateway', common);
  const jobs = await start('jobs', common);
  const moved = stack.move();
  return { relay, api, gateway, jobs, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

/** The status with which an upgrade is refused; 101 if it is accepted. */
async function upgradeStatus(service: TestService, path: string, protocol: string): Promise<number> {
  const socket = new WebSocket(`wss://localhost:${portOf(service)}${path}`, protocol, {
    rejectUnauthorized: false,
  });
  socket.on('error', () => {});
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.once('open', () => resolve(101));
  socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
  const status = await promise;
  socket.terminate();
  return status;
}

describe('servers with roles', { skip }, () => {
  test('a session opens at one, its device is connected to another, and its connections arrive at a third', async () => {
    await using made = await startByRoles();
    const { api, gateway, relay, jobs } = made;
    const { owner } = await api.account();
    const token = await createEnrolToken(owner);
    await using device = await startFakeDevice(`https://localhost:${portOf(gateway)}`, token);
    await waitUntilOnline(owner, device.id);
    const link = (await owner.call('agents/connect', { agent_id: device.id })).body['data'].url;
    const opened = await openSessionLink(api, link);
    await using operator = joinRelay(opened);
    await operator.paired;

    assert.equal(new URL(opened.relay).port, String(portOf(relay)));
    const ready = await Promise.all(
      [api, gateway, relay, jobs].map(async (each) => (await each.testClient.send({ path: '/readyz' })).text),
    );
    assert.deepEqual(ready, ['ready: api, relay\n', 'ready: gateway\n', 'ready: relay\n', 'ready: jobs\n']);
    const pages = await Promise.all(
      [api, gateway, relay, jobs].map(async (each) => (await each.testClient.send({ path: '/panel' })).http),
    );
    assert.deepEqual(pages.slice(1), [404, 404, 404]);
    assert.notEqual(pages[0], 404);
    const atRelay = [api, relay, gateway, jobs].map((each) => upgradeStatus(each, relayPath, relayProtocol));
    const atUplink = [gateway, api, relay, jobs].map((each) =>
      upgradeStatus(each, uplinkPath, uplinkProtocol),
    );
    assert.deepEqual(await Promise.all(atRelay), [101, 101, 404, 404]);
    assert.deepEqual(await Promise.all(atUplink), [101, 404, 404, 404]);
  });
});
