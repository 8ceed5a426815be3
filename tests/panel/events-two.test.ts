/**
 * The live panel over two servers on one PostgreSQL and one NATS: a change at one is received at the other.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createPersonAt } from '../kit/server/person-at.ts';
import { must, type TestAccount } from '../kit/server/account.ts';
import { startAgent } from '../kit/agent/agent.ts';
import { openDatabaseFor, type TestDatabase } from '../kit/server/database.ts';
import { createEnrolToken } from '../kit/server/enrolment.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { openEventReader, type EventReader } from '../kit/server/event-reader.ts';
import { skipWithout } from '../kit/requirements.ts';
import { startNats, type Nats } from '../kit/server/nats.ts';
import { createSharedSettings, type SharedSettings } from '../kit/server/shared-settings.ts';
import { openSignedInPanel } from '../kit/server/panel.ts';
import { eventually } from '../kit/eventually.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');
const names = (id: number) => (event: { ids?: number[] | undefined }) => event.ids?.includes(id) ?? false;

describe('the live panel over two servers', { skip }, () => {
  let [nats, database, shared]: [Nats?, TestDatabase?, SharedSettings?] = [];
  let [one, other]: TestService[] = [];
  let account: TestAccount;
  before(async () => {
    [nats, database] = await Promise.all([startNats(), openDatabaseFor('postgres')]);
    shared = await createSharedSettings();
    const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
    one = await startService({ env, realTime: true });
    other = await startService({ env, realTime: true });
    account = await one.account();
  });
  after(async () => {
    await one?.[Symbol.asyncDispose]();
    await other?.[Symbol.asyncDispose]();
    await nats?.[Symbol.asyncDispose]();
    shared?.[Symbol.dispose]();
    await database?.drop();
  });

  const hearThere = async (): Promise<EventReader> =>
    openEventReader(other!.testClient, await openSignedInPanel(other!, account, account.owner));

  test('a change at one server is received at the other', async () => {
    const { id } = await account.agent();
    await using eventReader = await hearThere();

    await account.owner.call('agents/update', { id, name: 'Reception' });

    await eventReader.until(names(id));
  });

  test('a device that connects to one server and disconnects is reported at the other', async () => {
    await using eventReader = await hearThere();
    const token = await createEnrolToken(account.owner);
    await using agent = startAgent({ server: one!.server.config.publicUrl, token });
    await agent.until(/connected/);
    const { id } = agent.state;
    await eventReader.until(names(id));
    const there = createPersonAt(other!.testClient.baseUrl, account.owner.apiKey, shared!.folder);
    const isOnline = async (): Promise<boolean> =>
      (await there.call('agents/info', { agent_id: id })).body['data'].online as boolean;
    await eventually(isOnline, (online) => online);
    // What it reports of itself while it connects causes events too; from here on only its disconnection is
    // left.
    const soFar = await eventually(
      async () => [eventReader.changes().length, await isOnline(), eventReader.changes().length] as const,
      ([first, online, second]) => online && first === second,
    );

    await agent.stop();

    await eventually(
      () => eventReader.changes().slice(soFar[0]).some(names(id)),
      (left) => left,
    );
  });

  test('signing out at one server ends the stream at the other', async () => {
    const panelClient = await openSignedInPanel(one!, account, account.owner);
    await using eventReader = await openEventReader(other!.testClient, panelClient);

    assert.equal((await panelClient.ask('sign-out')).http, 200);
    await eventReader.over();

    assert.equal(eventReader.received.at(-1)?.name, 'end');
  });

  test('a client that reconnects to the other server is told to fetch everything again', async () => {
    const panelClient = await openSignedInPanel(one!, account, account.owner);
    await using here = await openEventReader(one!.testClient, panelClient);

    await using there = await openEventReader(other!.testClient, panelClient, { lastId: here.lastId });

    await eventually(
      () => there.received.map(({ name }) => name),
      (received) => received.includes('reset'),
    );
  });

  test('without NATS only local changes are received; with it again, all clients are told to fetch everything again', async () => {
    const { id } = await account.agent();
    await using eventReader = await openEventReader(
      one!.testClient,
      await openSignedInPanel(one!, account, account.owner),
    );
    const { store } = one!.server;

    await nats!.stop();
    await must(store, 'agents/rename', { accountId: account.id, id, name: 'alone' });
    await eventReader.until(names(id));
    await nats!.start();

    await eventually(
      () => eventReader.received.map(({ name }) => name),
      (received) => received.includes('reset'),
    );
  });
});
