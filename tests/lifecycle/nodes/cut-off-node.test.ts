/** A server that alone loses the database: what is connected to it moves to the other server, which still has it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uplinkCloseCodes } from '@drawbridge/contract/close-codes';
import { openRogueDevice } from '../../kit/hostile/rogue-device.ts';
import { openGate } from '../../kit/nodes/gate.ts';
import { firstApiKey, startServerProcess } from '../../kit/process.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openDatabaseFor } from '../../kit/server/database.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { startNats } from '../../kit/server/nats.ts';
import { createPersonAt } from '../../kit/server/person-at.ts';
import { createSharedSettings } from '../../kit/server/shared-settings.ts';
import { openTestClient } from '../../kit/server/test-client.ts';
import { joinRelay, openSessionLink, startFakeDevice } from '../../kit/session/session-ends.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

test('its devices are sent away, and each session follows its device', { skip }, async () => {
  await using cleanup = new AsyncDisposableStack();
  const nats = cleanup.use(await startNats());
  const database = cleanup.adopt(await openDatabaseFor('postgres'), ({ drop }) => drop());
  const shared = cleanup.use(await createSharedSettings());
  const url = new URL(database.env['DRAWBRIDGE_DATABASE']!);
  const gate = cleanup.use(await openGate(Number(url.port || 5_432)));
  const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
  url.port = String(gate.port);
  const one = cleanup.use(await startServerProcess({ ...env, DRAWBRIDGE_DATABASE: url.href }));
  const other = cleanup.use(await startServerProcess(env));
  const owner = createPersonAt(other.url, firstApiKey(one), shared.folder);
  const device = cleanup.use(await startFakeDevice(one.url, await createEnrolToken(owner)));
  await waitUntilOnline(owner, device.id);
  const link = (await owner.call('agents/connect', { agent_id: device.id })).body['data'].url;
  const config = { listen: { port: Number(new URL(one.url).port) }, publicUrl: one.url };
  const server = { config, certificate: { certFile: `${shared.folder}/tls/cert.pem` } } as never;
  const opened = await openSessionLink({ server, testClient: openTestClient(server) }, link);
  const operator = cleanup.use(joinRelay(opened));
  await operator.paired;

  gate.hold();

  const { code } = await device.rogue.closed;
  const moved = cleanup.use(await openRogueDevice(other.url, { key: device.rogue.key }));
  await moved.enter();
  assert.equal((await device.rogue.next('move')).after_seconds, 0);
  assert.equal(code, uplinkCloseCodes.stopping.code);
  assert.equal((await operator.closed).code, 1_012);
  assert.match(one.output(), /cannot reach the database, but others can/);
});
