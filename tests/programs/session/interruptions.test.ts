/** What an operator is told while the other side is away, through a real relay. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenReply } from '@drawbridge/contract/session/open';
import { isProblem, type SessionProblem } from '@drawbridge/contract/session/problem';
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession } from '@drawbridge/session/operator/operator';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import type { DeviceSession } from '@drawbridge/web/join/accept-session';
import { allPermissions, startFakeServer, type FakeServer } from '../web/fake-server.ts';

/** An operator of an invitation whose client joins only after the operator. */
function operatorOfInvitation({ plain }: FakeServer, now = createClock().now): OperatorSession {
  const api = createSessionApi(plain);
  const withoutClient = (reply: OpenReply | SessionProblem): OpenReply | SessionProblem =>
    isProblem(reply) ? reply : { ...reply, device: { id: 0, name: 'Quick support', os: '' } };
  return openSession({
    ...operatorPorts,
    from: { code: 'abc' },
    api: {
      ...api,
      open: async (code, key) => withoutClient(await api.open(code, key)),
      resume: async (token, key) => withoutClient(await api.resume(token, key)),
    },
    pins: createKeyPins({ getItem: () => null, setItem: () => {} }),
    clock: { ...createClock(), now },
  });
}

const sendState = (client: DeviceSession, phase: 'live' | 'asking'): void =>
  client.sendState({
    phase,
    message: '',
    permissions: phase === 'live' ? allPermissions : [],
    unable: {},
    recording: false,
    os: 'linux',
    home: '',
  });

const until = (session: OperatorSession, isTrue: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => void (isTrue() && resolve());
    session.onChange(look);
    look();
  });

test('a client who joined after the operator counts as joined as soon as it answers', async () => {
  await using fakeServer = await startFakeServer();
  const session = operatorOfInvitation(fakeServer);
  await until(session, () => session.state.phase === 'waiting');
  const before = session.client;

  sendState(await fakeServer.nextDevice(), 'asking');
  await until(session, () => session.state.phase === 'asking');

  assert.deepEqual([before, session.client], ['absent', 'joined']);
  session.end();
  await session.ended;
});

test('the reason of an interruption and its time stay while an attempt to connect again fails', async () => {
  await using fakeServer = await startFakeServer();
  let late = 0;
  const session = operatorOfInvitation(fakeServer, () => late);
  const client = await fakeServer.nextDevice();
  sendState(client, 'live');
  await until(session, () => session.state.phase === 'live');
  const told = new Set<string>();
  session.onChange(() => session.state.phase === 'reconnecting' && told.add(session.state.message));
  client.interrupt('Switching to the program.');
  await fakeServer.nextDevice();

  late = 300_000;
  fakeServer.cut();
  sendState(await fakeServer.nextDevice(), 'live');
  await until(session, () => session.state.phase !== 'reconnecting');

  assert.equal(session.state.phase, 'live');
  assert.deepEqual([...told], ['Switching to the program.']);
  session.end();
  await session.ended;
});
