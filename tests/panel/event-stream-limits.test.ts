/**
 * How many streams of the panel are open: limited by person and by account, and never by the network they
 * come from.
 */
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { createMemoryBus } from '@drawbridge/server/bus/memory';
import { createLog } from '@drawbridge/server/edges/log';
import { createPanelEvents } from '@drawbridge/server/panel/live/events';
import type { TestAccount } from '../kit/server/account.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openEventReader } from '../kit/server/event-reader.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { eventually } from '../kit/eventually.ts';

let service: TestService;
// An eighth of them may be long responses of one network: 8.
before(
  async () => void (service = await startService({ env: { DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: '64' } })),
);
after(() => service[Symbol.asyncDispose]());

test('the members of one office behind one address all have the panel open', async () => {
  const account = await service.account();
  await using open = new AsyncDisposableStack();
  const codes: number[] = [];
  for (let person = 0; person < 20; person++) {
    const panelClient = await openSignedInPanel(service, account, await account.member([]));
    codes.push(open.use(await openEventReader(service.testClient, panelClient)).http);
  }

  assert.deepEqual(codes, Array(20).fill(200));
});

test('when all streams are taken, the account with most closes its newest, and no other account does', async () => {
  const { store } = service.server;
  const log = createLog({ level: 'silent' });
  const events = createPanelEvents({ store, bus: createMemoryBus(), log, node: 'test', maxStreams: 5 });
  const listenAs = async (account: TestAccount): Promise<Readable | string> => {
    await openSignedInPanel(service, account, account.owner);
    const [accountId, memberId] = [account.id, account.owner.id];
    const [session] = await store.panel.sessions({ accountId, memberId });
    const stream = await events.subscribe({ accountId, memberId, sessionId: session!.id, lastId: undefined });
    return isFault(stream) ? stream.code! : stream.resume();
  };
  const [large, small, late] = [await service.account(), await service.account(), await service.account()];
  const ofSmall = await listenAs(small);
  const ofLarge: (Readable | string)[] = [];
  for (let each = 0; each < 4; each++) ofLarge.push(await listenAs(large));
  assert.equal(await listenAs(large), 'too_many_streams');

  const ofLate = await listenAs(late);
  await eventually(
    () => ofLarge.map(isOver),
    (over) => over.some(Boolean),
  );

  assert.deepEqual(ofLarge.map(isOver), [false, false, false, true], 'the newest');
  assert.deepEqual([ofSmall, ofLate].map(isOver), [false, false]);
  assert.equal(await listenAs(large), 'too_many_streams', 'the page that comes back takes it from nobody');
  (ofLate as Readable).destroy();
  await eventually(
    () => listenAs(large),
    (stream) => typeof stream === 'object',
  );
  events.close();
});

const isOver = (stream: Readable | string): boolean => typeof stream === 'string' || stream.readableEnded;
