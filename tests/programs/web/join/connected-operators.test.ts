/** What a client's page tells the operators who are connected to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import { currentSessionVersion, sessionCapabilities } from '@drawbridge/contract/session/versions';
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession } from '@drawbridge/session/operator/operator';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import {
  createConnectedOperators,
  type ConnectedOperators,
  type ConnectedOperatorsOptions,
} from '@drawbridge/web/join/connected-operators';
import { startFakeServer, type FakeServer } from '../fake-server.ts';

/** A page whose person gives this answer to every operator. */
function openPage(
  fakeServer: FakeServer,
  answer: boolean,
  more: Partial<ConnectedOperatorsOptions> = {},
): ConnectedOperators {
  const operators = createConnectedOperators({
    key: fakeServer.deviceKey,
    clock: createClock(),
    system: 'linux',
    capabilities: () => ({ isSharing: true, canShare: true, canTalk: true }),
    ask: async () => answer,
    onJoined: () => {},
    onLeft: () => {},
    onLost: () => {},
    ...more,
  });
  fakeServer.receive = operators.receive;
  return operators;
}

const openOperator = (fakeServer: FakeServer): OperatorSession =>
  openSession({
    ...operatorPorts,
    from: { code: 'abc' },
    api: createSessionApi(fakeServer.plain),
    pins: createKeyPins({ getItem: () => null, setItem: () => {} }),
    clock: createClock(),
  });

/** Resolves with the states up to the last one that was awaited. */
function statesOf(session: OperatorSession, count: number): Promise<SessionMessage<'state'>[]> {
  const states: SessionMessage<'state'>[] = [];
  return new Promise((resolve) =>
    session.on('state', (state) => states.push(state) === count && resolve(states)),
  );
}

const told = (states: SessionMessage<'state'>[]): unknown[] =>
  states.map(({ phase, protocol, capabilities }) => [phase, protocol, capabilities]);
const current = (phase: string): unknown => [phase, currentSessionVersion, [...sessionCapabilities]];

test('every state that a browser sends carries its version and capabilities', async () => {
  await using fakeServer = await startFakeServer();
  const page = openPage(fakeServer, true);
  const session = openOperator(fakeServer);

  const first = await statesOf(session, 2);
  const again = statesOf(session, 1);
  page.sendState();

  assert.deepEqual(told([...first, ...(await again)]), [current('asking'), current('live'), current('live')]);
  session.end();
  await session.ended;
});

test('a browser that refuses an operator tells its version too', async () => {
  await using fakeServer = await startFakeServer();
  openPage(fakeServer, false);
  const session = openOperator(fakeServer);

  const states = await statesOf(session, 2);

  assert.deepEqual(told(states), [current('asking'), current('refused')]);
  await session.ended;
});

test('a browser refuses the offer of a direct connection once, and its candidates not at all', async () => {
  await using fakeServer = await startFakeServer();
  openPage(fakeServer, true);
  const session = openOperator(fakeServer);
  await statesOf(session, 2);
  const failures: unknown[] = [];
  session.on('direct', ({ failed }) => failures.push(failed));

  session.send('direct', { offer: 'v=0' });
  for (const candidate of ['{}', '{}']) session.send('direct', { candidate });
  const refused = new Promise((resolve) => session.on('refused', resolve));
  session.send('pointer', { x: 1, y: 1, buttons: 0 });
  await refused;

  assert.deepEqual(failures, ['Direct connections are turned off.']);
  session.end();
  await session.ended;
});

test('a helper whose connection was lost is awaited as long as the server lets them return', async () => {
  await using fakeServer = await startFakeServer();
  let now = 0;
  const left = Promise.withResolvers<void>();
  const page = openPage(fakeServer, true, {
    clock: { ...createClock(), now: () => now },
    onLeft: () => left.resolve(),
  });
  const session = openOperator(fakeServer);
  await statesOf(session, 2);

  fakeServer.isAway = true;
  fakeServer.cut();
  await left.promise;
  now = 599_999;
  const awaited = page.away();
  now = 600_000;

  assert.deepEqual([awaited, page.away()], [['Olga Operator'], []]);
  session.end();
  await session.ended;
});

test('a helper who comes back with a new link is no longer awaited', async () => {
  await using fakeServer = await startFakeServer();
  const left = Promise.withResolvers<void>();
  const page = openPage(fakeServer, true, { onLeft: () => left.resolve() });
  const lost = openOperator(fakeServer);
  await statesOf(lost, 2);
  fakeServer.isAway = true;
  fakeServer.cut();
  await left.promise;
  lost.end();
  await lost.ended;
  Object.assign(fakeServer, { isAway: false, session: 8 });

  const session = openOperator(fakeServer);
  await statesOf(session, 2);

  assert.deepEqual(page.away(), []);
  session.end();
  await session.ended;
});
