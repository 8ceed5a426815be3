/**
 * Many devices at one server: a limited total, more per address than unauthenticated sockets, and cheaper
 * reconnections.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { connectOnce, type UplinkOutcome } from '@drawbridge/agent/uplink/connection';
import { createDeviceKey } from '@drawbridge/agent/uplink/keys';
import type { ClientOptions } from 'ws';
import { listDevices, createEnrolToken } from '../kit/server/enrolment.ts';
import { startService } from '../kit/server/service.ts';
import { honestDevice, openRogueDevice } from '../kit/hostile/rogue-device.ts';

test('a device that finds the server full is asked to retry later, and gets in when another has left', async () => {
  await using service = await startService({ realTime: true, env: { DRAWBRIDGE_AGENTS_ONLINE: '1' } });
  const token = await createEnrolToken((await service.account()).owner, { uses: 2 });
  await using first = await openRogueDevice(service.testClient.baseUrl);
  await first.enter(token);

  await using second = await openRogueDevice(service.testClient.baseUrl);
  await second.hello({ token: parseEnrolmentToken(token)!.secret });
  assert.deepEqual(await second.next('move'), { kind: 'move', after_seconds: 60 });
  assert.deepEqual(await second.closed, { code: 4_009, reason: 'full' });
  first.socket.close();
  await first.closed;

  await using third = await openRogueDevice(service.testClient.baseUrl);
  await third.enter(token);
});

test('of devices that begin while there is room, no more get in than there is room for', async () => {
  await using service = await startService({ realTime: true, env: { DRAWBRIDGE_AGENTS_ONLINE: '1' } });
  const token = await createEnrolToken((await service.account()).owner, { uses: 2 });
  const { secret } = parseEnrolmentToken(token)!;
  await using late = await openRogueDevice(service.testClient.baseUrl);
  const challenge = await late.hello({ token: secret });
  await using quick = await openRogueDevice(service.testClient.baseUrl);
  await quick.enter(token);

  late.prove(challenge);
  assert.deepEqual(await late.next('move'), { kind: 'move', after_seconds: 60 });
  assert.deepEqual(await late.closed, { code: 4_009, reason: 'full' });
});

test('devices behind one address may be more than the unauthenticated sockets of that address', async () => {
  await using service = await startService({
    realTime: true,
    env: { DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '4' },
  });
  const { owner } = await service.account();
  const token = await createEnrolToken(owner, { uses: 10 });
  await using devices = new AsyncDisposableStack();
  for (let device = 0; device < 10; device++)
    await devices.use(await openRogueDevice(service.testClient.baseUrl)).enter(token);

  assert.equal((await listDevices(owner)).length, 10);
});

test('a device that reconnects resumes its TLS session, and still authenticates the server by its certificate', async () => {
  await using service = await startService({ realTime: true });
  const { secret, certificate } = parseEnrolmentToken(
    await createEnrolToken((await service.account()).owner),
  )!;
  const credentials = { ...createDeviceKey(), epoch: '', token: secret, serverKey: '', certificate };
  const resumed: boolean[] = [];
  const createConnection = (options: ConnectionOptions): TLSSocket => {
    const wire = connectTls(options, () => void resumed.push(wire.isSessionReused()));
    return wire;
  };
  const visit = (session?: UplinkOutcome['session']): Promise<UplinkOutcome> =>
    connectOnce({
      server: service.testClient.baseUrl,
      credentials,
      ...honestDevice,
      facts: { ...honestDevice.facts, addresses: [] },
      fingerprint: { ...honestDevice.fingerprint, macs: [] },
      session,
      socketOptions: { createConnection } as unknown as ClientOptions,
      onWelcome: ({ epoch }, serverKey) => void Object.assign(credentials, { epoch, serverKey, token: '' }),
      onCommand: async () => ({ done: {} }),
      onReady: (talk) => talk.close(),
    });

  const first = await visit();
  // Data from the first connection must not be the reason it trusts the second.
  credentials.serverKey = '';
  const second = await visit(first.session);

  assert.deepEqual([first.welcomed, second.welcomed], [true, true], second.reason);
  assert.deepEqual(resumed, [false, true]);
});
