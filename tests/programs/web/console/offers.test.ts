/** What the console offers to a device of an older version: nothing that the device does not know. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { currentSessionVersion, sessionCapabilities } from '@drawbridge/contract/session/versions';
import { createSessionApi } from '@drawbridge/session/browser/session-api';
import { createClock } from '@drawbridge/session/clock';
import { createKeyPins } from '@drawbridge/session/operator/key-pins';
import { openSession, type OperatorSession } from '@drawbridge/session/operator/operator';
import { isOffered, mayUse } from '@drawbridge/web/console/offers';
import { operatorPorts } from '@drawbridge/web/console/operator-ports';
import { goLive } from './console-fixture.ts';
import { startFakeServer, type FakeServer } from '../fake-server.ts';

/** Lets a kind be known only since this version, until it is disposed. */
function plant(kind: FrameKindName, version: number): Disposable {
  const row: FrameKind = frameKinds[kind];
  const { since } = row;
  row.since = version;
  return { [Symbol.dispose]: () => void (row.since = since) };
}

async function openLive(fakeServer: FakeServer, unable: Record<string, string>): Promise<OperatorSession> {
  const session = openSession({
    ...operatorPorts,
    from: { code: 'abc' },
    api: createSessionApi(fakeServer.plain),
    pins: createKeyPins({ getItem: () => null, setItem: () => {} }),
    clock: createClock(),
  });
  const isLive = new Promise<void>((resolve) =>
    session.onChange(() => session.state.phase === 'live' && resolve()),
  );
  goLive(await fakeServer.nextDevice(), { unable });
  await isLive;
  return session;
}

test('a kind that is newer than the device is neither offered nor sent, and the others are', async () => {
  await using fakeServer = await startFakeServer();
  using _newer = plant('lock', currentSessionVersion + 1);
  using _newerAndUnable = plant('terminal', currentSessionVersion + 1);
  using _current = plant('reboot', currentSessionVersion);
  const session = await openLive(fakeServer, { agent_terminal_mode: 'no terminal', agent_chat: 'nobody' });

  const kinds = ['lock', 'terminal', 'reboot', 'chat', 'people'] as const;

  assert.deepEqual(kinds.filter(session.knows), ['reboot', 'chat', 'people']);
  assert.deepEqual(
    kinds.filter((kind) => isOffered(session, kind)),
    ['reboot', 'chat', 'people'],
  );
  assert.deepEqual([mayUse(session, 'lock'), mayUse(session, 'reboot')], [false, true]);
  assert.deepEqual([session.send('lock', {}), session.send('reboot', { safe: false })], [false, true]);
  session.end();
  await session.ended;
});

test('a session keeps the version and the capabilities of the device', async () => {
  await using fakeServer = await startFakeServer();

  const session = await openLive(fakeServer, {});

  assert.equal(session.deviceVersion, currentSessionVersion);
  assert.deepEqual([...session.capabilities], [...sessionCapabilities]);
  session.end();
  await session.ended;
});
