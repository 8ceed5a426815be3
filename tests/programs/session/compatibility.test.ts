/**
 * Agents and pages of different versions: what both know works, and what one does not know is not offered. Version 1 is
 * kept as fixtures that esbuild built from the last commit before the protocol had versions (5a2be86); the fixture of the
 * pages was built again from there, with file transfers and the page of the client.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { frameKinds, type FrameKind, type FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { currentSessionVersion } from '@drawbridge/contract/session/versions';
import type { OperatorSession } from '@drawbridge/session/operator/operator';
import { isOffered, mayUse } from '@drawbridge/web/console/offers';
import { clientChecks } from './client-checks.ts';
import {
  createApi,
  collectFrames,
  soon,
  untilDone,
  untilPhase,
  type ConnectedPair,
} from './connected-pair.ts';
import { kindChecks, sessionChecks, type PairCheck } from './kind-checks.ts';
import { startLaterDevice } from './later-device.ts';
import {
  currentAgent,
  currentClient,
  loadCurrentPage,
  loadOldAgent,
  loadOldPage,
  oldClient,
  openPeers,
  startObservedAgent,
  type AgentVersion,
  type ClientVersion,
  type PageVersion,
  type RunningAgent,
} from './session-versions.ts';

const [oldAgent, oldPage, currentPage] = await Promise.all([
  loadOldAgent(),
  loadOldPage(),
  loadCurrentPage(),
]);
const agentPairs: readonly [AgentVersion, PageVersion][] = [
  [currentAgent, currentPage],
  [oldAgent, currentPage],
  [currentAgent, oldPage],
];
const clientPairs: readonly [ClientVersion, PageVersion][] = [
  [currentClient, currentPage],
  [oldClient, currentPage],
  [currentClient, oldPage],
];

let lastNumber = 0;

/** Ends a session also after a failed check: it would reconnect otherwise. */
const ending = (session: OperatorSession): Disposable => ({ [Symbol.dispose]: () => session.end() });

/** Checks a live session with the page; afterwards the page ends it, and the device knows. */
async function runAgentPair(
  { device, fixture }: RunningAgent,
  page: PageVersion,
  { grant, check }: PairCheck,
): Promise<void> {
  device.done.length = 0;
  const number = (lastNumber += 1);
  const session = page.openSession(createApi(fixture, { ...grant?.(fixture), number }));
  using _end = ending(session);
  const pair: ConnectedPair = {
    session,
    received: collectFrames(session),
    device,
    files: page.filesOf(session),
    fixture,
    number,
  };
  await untilPhase(session, 'live');
  await check(pair);
  session.end();
  await session.ended;
  await soon(
    () => openPeers.size,
    (count) => count === 0,
  );
  const count = (what: string): number =>
    fixture.lines.filter((line) => line.startsWith(`session ${number}: ${what}`)).length;
  await soon(
    () => count('ended'),
    (ended) => ended === count('started'),
  );
}

async function runClientPair(
  { fixture }: RunningAgent,
  [client, page]: readonly [ClientVersion, PageVersion],
  check: (typeof clientChecks)[string],
): Promise<void> {
  const clientPage = await client.openPage();
  const { publicKey } = fixture.serverKey;
  const api = createApi(
    fixture,
    { number: 7, device_key: clientPage.key },
    async ({ grant, ticket }) =>
      void clientPage.receive({ grant, ticket, relay: fixture.plainRelay }, publicKey),
  );
  const session = page.openSession(api);
  using _end = ending(session);
  const received = collectFrames(session);
  await untilPhase(session, 'live');
  const version = Math.min(client.version, page.version);
  await check({ version, session, received, client: clientPage, cut: fixture.cut });
  session.end();
  await session.ended;
}

const kinds = Object.keys(frameKinds) as FrameKindName[];
const checkOf = (kind: FrameKindName): PairCheck => {
  const check = kindChecks[kind];
  return typeof check === 'function' ? { check } : check;
};

/** Lets a kind be known only since the current version, until it is disposed. */
function makeNewer(kind: FrameKindName): Disposable {
  const row: FrameKind = frameKinds[kind];
  const { since } = row;
  row.since = currentSessionVersion;
  return { [Symbol.dispose]: () => void (row.since = since) };
}

/** The page offers nothing for the kind, and sends none. */
const notOffered = (kind: FrameKindName): PairCheck => ({
  async check({ session }) {
    assert.deepEqual(
      [session.knows(kind), isOffered(session, kind), mayUse(session, kind)],
      [false, false, false],
    );
  },
});

for (const [agent, page] of agentPairs)
  describe(`an agent of version ${agent.version} and a page of version ${page.version}`, () => {
    const common = Math.min(agent.version, page.version);
    let running: RunningAgent;
    before(async () => void (running = await startObservedAgent(agent)));
    after(() => running[Symbol.asyncDispose]());

    for (const kind of kinds)
      if (frameKinds[kind].since <= common)
        test(`use ${kind}`, () => runAgentPair(running, page, checkOf(kind)));
      else if (page.version > 1)
        test(`do not offer ${kind}`, () => runAgentPair(running, page, notOffered(kind)));
    for (const [name, check] of Object.entries(sessionChecks))
      test(name, () => runAgentPair(running, page, check));
  });

for (const pair of clientPairs)
  describe(`a client's page of version ${pair[0].version} and an operator's page of version ${pair[1].version}`, () => {
    let running: RunningAgent;
    before(async () => void (running = await startObservedAgent()));
    after(() => running[Symbol.asyncDispose]());

    for (const [name, check] of Object.entries(clientChecks))
      test(name, () => runClientPair(running, pair, check));
  });

test('every kind of frame has a check', () => {
  assert.deepEqual(Object.keys(kindChecks).toSorted(), kinds.toSorted());
});

describe('what only one side knows', () => {
  test('a page does not offer it to an agent of version 1, and the rest works', async () => {
    using _newer = makeNewer('lock');
    await using running = await startObservedAgent(oldAgent);

    await runAgentPair(running, currentPage, {
      async check(pair) {
        const { session, device } = pair;
        assert.deepEqual([session.deviceVersion, [...session.capabilities]], [1, []]);
        await notOffered('lock').check(pair);
        assert.equal(session.send('lock', {}), false);
        await checkOf('reboot').check(pair);
        assert.ok(!device.done.includes('lock'));
      },
    });
  });

  test('an agent does not send it to a page of version 1, and the rest works', async () => {
    using _newer = makeNewer('clipboard');
    await using running = await startObservedAgent();

    await runAgentPair(running, oldPage, {
      async check(pair) {
        const { session, device, received } = pair;
        session.send('clipboard', { text: 'known to the page' });
        await untilDone(pair, 'clipboard known to the page');
        device.events.copy('unknown to the page');
        await checkOf('programs').check(pair);
        assert.deepEqual(received.of('clipboard'), []);
      },
    });
  });

  test('sides of this version use it, and tell each other their version and their capabilities by name', async () => {
    using _newer = makeNewer('clipboard');
    await using running = await startObservedAgent();

    await runAgentPair(running, currentPage, {
      async check(pair) {
        await checkOf('clipboard').check(pair);
        const { deviceVersion, capabilities } = pair.session;
        assert.deepEqual(
          [deviceVersion, [...capabilities]],
          [currentSessionVersion, ['skips_unknown_kinds']],
        );
      },
    });
  });

  test('a page skips kinds that only a device of a later version has, and the frames after them arrive', async () => {
    await using running = await startObservedAgent();
    const { fixture } = running;
    const api = createApi(fixture, { number: 1 }, async (input) =>
      startLaterDevice(fixture, input, (connection) => {
        connection.send('cursor', { x: 1, y: 2 });
        connection.send('clipboard', { text: 'after it' });
      }),
    );
    const session = currentPage.openSession(api);
    using _end = ending(session);
    const received = collectFrames(session);

    assert.deepEqual(await received.until('clipboard'), { text: 'after it' });
    assert.deepEqual([received.of('cursor'), session.state.phase], [[], 'live']);
    session.end();
    await session.ended;
  });
});
