/** Limits hold over three servers together: guesses at passwords, connections of one network, and e-mails to one address. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { openDatabaseFor } from '../kit/server/database.ts';
import { openMailbox, type Mailbox } from '../kit/server/mailbox.ts';
import { startNats, type Nats } from '../kit/server/nats.ts';
import { openPanelClient, setPassword } from '../kit/server/panel.ts';
import { startService, type TestService } from '../kit/server/service.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';

const password = 'correct horse 7';
const connectionsPerAddress = 60;

describe('three servers', { skip: skipWithout('PostgreSQL') || skipWithout('nats-server') }, () => {
  const opened = new AsyncDisposableStack();
  const services: TestService[] = [];
  let nats: Nats;
  let mailbox: Mailbox;

  before(async () => {
    nats = opened.use(await startNats());
    mailbox = opened.use(await openMailbox());
    const database = await openDatabaseFor('postgres');
    opened.defer(() => database.drop());
    const shared = opened.use(await createSharedSettings());
    for (const node of [1, 2, 3]) {
      const env = {
        ...database.env,
        ...shared.env,
        ...mailbox.env,
        DRAWBRIDGE_BUS: nats.url,
        DRAWBRIDGE_RELAY_URL: `wss://relay-${node}.example`,
        DRAWBRIDGE_CONNECTIONS_PER_ADDRESS: String(connectionsPerAddress),
        DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1',
      };
      services.push(opened.use(await startService({ env })));
    }
    await Promise.all(services.map(knowsAll));
  });
  after(() => opened.disposeAsync());

  /** The page allows the relays of the servers that its server knows. */
  const knowsAll = ({ testClient }: TestService): Promise<unknown> =>
    eventually(
      async () => String((await testClient.send({ path: '/i' })).headers['content-security-policy']),
      (policy) => [1, 2, 3].every((node) => policy.includes(`relay-${node}.`)),
    );

  /** A person with a password, and wrong guesses at it at once; returns how many were compared. */
  async function guessWrong(count: number, from: (at: number) => string): Promise<number> {
    const account = await services[0]!.account();
    await setPassword(services[0]!, account, account.owner, password);
    const guesses = Array.from({ length: count }, (_, at) =>
      openPanelClient(services[at % 3]!).ask(
        'sign-in/password',
        { email: account.owner.email, password: 'wrong horse 7' },
        { 'X-Forwarded-For': from(at), 'X-Forwarded-Proto': 'https' },
      ),
    );
    return (await Promise.all(guesses)).filter(({ http }) => http === 403).length;
  }

  test('compare as many passwords of one network, and of many, as one server would', async () => {
    const [fromOne, fromMany] = [
      await guessWrong(45, () => '192.0.2.1'),
      await guessWrong(60, (at) => `198.51.${at % 5}.7`),
    ];

    assert.ok(fromOne >= 10 && fromOne <= 12, `${fromOne} from one network`);
    // 20 of any network, and then 3 of each.
    assert.ok(fromMany >= 32 && fromMany <= 38, `${fromMany} from five networks`);
  });

  test('send as many e-mails to one address as one server would', async () => {
    const email = 'full@example.com';
    const mailed: unknown[] = [];
    for (let count = 0; count < 9; count++) {
      const { owner } = await services[count % 3]!.account();
      mailed.push((await owner.call('team/member/invite', { email })).body['mailed']);
    }

    assert.equal(mailbox.emails.filter(({ to }) => to.includes(email)).length, 5, JSON.stringify(mailed));
  });

  test('compare no fewer and no more than each server alone when NATS is away', async () => {
    await nats.stop();
    const compared = await guessWrong(45, () => '192.0.2.2');
    await nats.start();

    assert.ok(compared >= 30 && compared <= 36, `${compared}`);
  });

  test('together hold as many connections of one network as one server would, and those of others', async () => {
    const open = new Set<Socket>();
    const openFrom = async (localAddress: string, { server }: TestService): Promise<void> => {
      const socket = connect({ port: server.config.listen.port, host: '127.0.0.1', localAddress });
      socket.on('error', () => {}).once('close', () => open.delete(socket));
      await once(socket, 'connect');
      open.add(socket);
    };
    const all = services.flatMap((service) => Array<TestService>(connectionsPerAddress).fill(service));
    await Promise.all(all.map((service) => openFrom('127.0.0.2', service)));

    const limit = connectionsPerAddress * 1.2;
    const held = await eventually(
      () => open.size,
      (size) => size <= limit,
      5_000,
    );
    await Promise.all(services.map((service) => openFrom('127.0.0.2', service).catch(() => {})));
    await Promise.all(services.map((service) => openFrom('127.0.0.3', service)));
    const fromOthers = [...open].filter(({ localAddress }) => localAddress === '127.0.0.3');
    for (const socket of open) socket.destroy();

    assert.ok(held >= connectionsPerAddress * 0.5, `${held}`);
    assert.equal(fromOthers.length, 3);
  });
});
