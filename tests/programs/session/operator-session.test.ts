/**
 * The operator's session against a device, through a real relay: whom it trusts, what it sends, how it ends
 * and resumes.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClock } from '@drawbridge/session/clock';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import {
  openSession,
  type OperatorOptions,
  type OperatorSession,
} from '@drawbridge/session/operator/operator';
import { createKeyPins, type KeyValueStorage } from '@drawbridge/session/operator/key-pins';
import type { SessionPhase } from '@drawbridge/session/operator/session';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import { eventually } from '../../kit/eventually.ts';
import { allPermissions, startFakeServer, type FakeServer } from '../web/fake-server.ts';
import { createSigningKey } from './create-signing-key.ts';

function drawer(): KeyValueStorage {
  const kept = new Map<string, string>();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => void kept.set(name, text) };
}

const operatorAt = (
  fakeServer: FakeServer,
  kept = drawer(),
  from: OperatorOptions['from'] = { code: 'abc' },
): OperatorSession =>
  openSession({
    ...operatorPorts,
    from,
    api: createSessionApi(fakeServer.plain),
    pins: createKeyPins(kept),
    clock: createClock(),
  });

export const sendLiveState = (device: DeviceSession, permissions = allPermissions): void =>
  device.sendState({
    phase: 'live',
    message: '',
    permissions,
    unable: {},
    recording: false,
    os: 'linux',
    home: '/home/reception',
  });

function until(session: OperatorSession, phase: SessionPhase): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (session.state.phase === phase) resolve();
  };
  session.onChange(look);
  look();
  return promise;
}

const received = <T>(listen: (take: (value: T) => void) => unknown): Promise<T> =>
  new Promise((resolve) => listen(resolve));

test('an operator and a device meet, show the same code, and exchange messages', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorAt(fakeServer);
  const device = await fakeServer.nextDevice();
  sendLiveState(device);
  await until(session, 'live');

  const atDevice = received<{ text: string }>((take) => device.on('chat', take));
  const atOperator = received<{ text: string }>((take) => session.on('chat', take));
  assert.equal(session.send('chat', { text: 'hello', name: 'Olga' }), true);
  assert.equal(device.send('chat', { text: 'hi', name: 'Client' }), true);

  assert.equal((await atDevice).text, 'hello');
  assert.equal((await atOperator).text, 'hi');
  assert.equal(session.code, device.code);
  assert.equal(session.device.name, 'Reception desk');
  assert.ok(session.traffic.sent > 0 && session.traffic.received > 0);
  session.end();
  assert.deepEqual(await device.ended, { by: 'operator', message: '', back: false });
  await session.ended;
});

test('an operator can end the session while the device is verified', async () => {
  await using fakeServer = await startFakeServer();
  const { crypto } = operatorPorts;
  const session = openSession({
    ...operatorPorts,
    crypto: { ...crypto, verify: (...given) => (session.end(), crypto.verify(...given)) },
    from: { code: 'abc' },
    api: createSessionApi(fakeServer.plain),
    pins: createKeyPins(drawer()),
    clock: createClock(),
  });
  const device = await fakeServer.nextDevice();
  sendLiveState(device);

  const phase = await eventually(
    () => session.state.phase,
    (now) => now === 'ended',
  );

  assert.deepEqual([phase, session.state.by], ['ended', 'operator']);
  assert.deepEqual(await device.ended, { by: 'operator', message: '', back: false });
});

test('a browser that shares its screen refuses a session that must be recorded, and the operator reads why', async () => {
  await using fakeServer = await startFakeServer();
  fakeServer.recordTo = { url: 'https://localhost/recording-upload/1', token: 'token', key: 'A'.repeat(43) };
  const session = operatorAt(fakeServer);

  await session.ended;

  assert.equal(session.state.by, 'device');
  assert.match(session.state.message, /has to be recorded.*run the program/);
});

test('the round trip is measured', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorAt(fakeServer);
  await fakeServer.nextDevice();

  await new Promise<void>((resolve) => session.onChange(() => session.roundTrip !== undefined && resolve()));

  assert.ok(session.roundTrip! >= 0 && session.roundTrip! < 5_000);
  session.end();
  await session.ended;
});

test('what the session does not allow is not even sent', async () => {
  await using fakeServer = await startFakeServer();
  fakeServer.permissions = ['agent_connect'];
  const session = operatorAt(fakeServer);
  sendLiveState(await fakeServer.nextDevice(), ['agent_connect']);
  await until(session, 'live');

  assert.equal(session.send('chat', { text: 'psst', name: '' }), false);
  assert.equal(session.send('shown', 1), true);

  session.end();
  await session.ended;
});

test('a device that signs with another key than the server names is rejected', async () => {
  await using fakeServer = await startFakeServer();
  fakeServer.signingKey = await createSigningKey();
  const session = operatorAt(fakeServer);

  await session.ended;

  assert.equal(session.state.problem?.code, 'bad_signature');
  assert.equal(session.code, '');
});

test('a device whose key has changed is blocked until the operator decides, and then known by the new key', async () => {
  await using fakeServer = await startFakeServer();
  const kept = drawer();
  const first = operatorAt(fakeServer, kept);
  await fakeServer.nextDevice();
  first.end();
  await first.ended;
  fakeServer.deviceKey = await createSigningKey();

  const second = operatorAt(fakeServer, kept);
  await until(second, 'blocked');
  assert.equal(second.state.problem?.code, 'changed_key');
  assert.equal(second.code, '');
  second.trust();
  sendLiveState(await fakeServer.nextDevice());
  await until(second, 'live');

  assert.equal(createKeyPins(kept).find(12), fakeServer.deviceKey.publicKey);
  second.end();
  await second.ended;
});

test('a lost connection is resumed, with the same listeners and new keys', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorAt(fakeServer);
  sendLiveState(await fakeServer.nextDevice());
  await until(session, 'live');
  const code = session.code;
  const chat = received<{ text: string }>((take) => session.on('chat', take));

  fakeServer.cut();
  await until(session, 'reconnecting');
  const again = await fakeServer.nextDevice();
  sendLiveState(again);
  await until(session, 'live');
  again.send('chat', { text: 'back', name: 'Client' });

  assert.equal((await chat).text, 'back');
  assert.notEqual(session.code, code);
  assert.deepEqual(
    fakeServer.posts.map(({ path }) => path),
    ['/session/open', '/session/resume'],
  );
  session.end();
  await session.ended;
});

test('a session that the server ended is not retried, and its sentence is shown', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorAt(fakeServer);
  sendLiveState(await fakeServer.nextDevice());
  await until(session, 'live');

  fakeServer.relay.close(fakeServer.pair, 'An administrator ended the session.');
  await session.ended;

  assert.deepEqual(session.state, {
    phase: 'ended',
    message: 'An administrator ended the session.',
    by: 'server',
  });
});

test('a link that was already used says so and reaches nobody', async () => {
  await using fakeServer = await startFakeServer();
  fakeServer.refusal = 'used';
  const session = operatorAt(fakeServer);

  await session.ended;

  assert.deepEqual(session.state.problem, { code: 'used', message: 'It is used.' });
});

test('if resuming is refused for good, the session is over', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorAt(fakeServer);
  sendLiveState(await fakeServer.nextDevice());
  await until(session, 'live');

  fakeServer.refusal = 'ended';
  fakeServer.cut();
  await session.ended;

  assert.equal(session.state.problem?.code, 'ended');
});
