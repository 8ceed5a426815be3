/** Servers that share one deployment by roles: requests, devices and sessions meet although each arrives at another process. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { uplinkPath, uplinkProtocol } from '@drawbridge/contract/uplink/messages';
import { WebSocket } from 'ws';
import { skipWithout } from '../kit/requirements.ts';
import { openDatabaseFor } from '../kit/server/database.ts';
import { createEnrolToken, waitUntilOnline } from '../kit/server/enrolment.ts';
import { startNats } from '../kit/server/nats.ts';
import { openPanelClient, setPassword } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';
import { joinRelay, openSessionLink, startFakeDevice } from '../kit/session/session-ends.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

const portOf = ({ server }: TestService): number => server.config.listen.port;

/** Servers of one deployment. */
async function openDeployment() {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const database = await openDatabaseFor('postgres');
  stack.defer(() => database.drop());
  const shared = stack.use(await createSharedSettings());
  const common = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
  const moved = stack.move();
  return {
    async start(roles: string, settings: Record<string, string> = {}): Promise<TestService> {
      const env = { ...common, DRAWBRIDGE_PUBLIC_URL: 'https://localhost:1', ...settings };
      return moved.use(await startService({ env: { ...env, DRAWBRIDGE_ROLES: roles }, realTime: true }));
    },
    /** The settings of a server whose name is this. */
    named(name: string): Record<string, string> {
      const data = join(shared.folder, name);
      mkdirSync(data);
      writeFileSync(join(data, 'node-id'), name);
      return { DRAWBRIDGE_DATA: data };
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

async function startByRoles() {
  await using stack = new AsyncDisposableStack();
  const { start } = stack.use(await openDeployment());
  const relay = await start('relay');
  const relayUrl = { DRAWBRIDGE_RELAY_URL: `wss://localhost:${portOf(relay)}` };
  const api = await start('relay,api', relayUrl);
  const gateway = await start('gateway');
  const jobs = await start('jobs');
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

  test('together compare as many passwords of one network as one server would, although the first have other roles', async () => {
    await using deployment = await openDeployment();
    const { start, named } = deployment;
    const proxies = { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' };
    const gateway = await start('gateway', named('a'));
    await start('jobs', named('b'));
    const apis = [
      await start('relay,api', { ...named('c'), ...proxies }),
      await start('relay,api', { ...named('d'), ...proxies }),
    ];
    const account = await apis[0]!.account();
    await setPassword(apis[0]!, account, account.owner, 'correct horse 7');
    const from = { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
    const guess = { email: account.owner.email, password: 'wrong horse 7' };
    const signIn = (service: TestService) => openPanelClient(service).ask('sign-in/password', guess, from);
    const openLink = (service: TestService) =>
      service.testClient.send({
        method: 'POST',
        path: '/p/somewhere',
        headers: { ...from, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'password=wrong+horse+7',
      });
    /** Guesses at once, at both servers; returns how many were compared. */
    const compare = async (count: number, tryOnce: (service: TestService) => Promise<{ http: number }>) => {
      const tries = Array.from({ length: count }, (_, at) => tryOnce(apis[at % 2]!));
      return (await Promise.all(tries)).filter(({ http }) => http === 403).length;
    };
    const first = await compare(6, signIn);
    const links = await compare(40, openLink);
    const signIns = first + (await compare(40, signIn));

    assert.ok(links >= 10 && links <= 12, `${links} passwords of a link`);
    assert.ok(signIns >= 10 && signIns <= 12, `${signIns} passwords of a person`);
    assert.equal((await gateway.testClient.send({ path: '/readyz' })).text, 'ready: gateway\n');
  });
});
