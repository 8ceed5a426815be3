/** What anyone who can use NATS, and other deployments on it, can do to the messages between nodes: nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { busTimeout, hasAnswer, noResponder, type Bus } from '@drawbridge/server/bus/bus';
import { createEnvelopes } from '@drawbridge/server/bus/envelope';
import { createBusFleet } from '@drawbridge/server/gateway/devices/fleet';
import { passOnCommand } from '@drawbridge/server/gateway/devices/pass-on-command';
import { resolveCommand, type UplinkConnection } from '@drawbridge/server/gateway/devices/uplink-connection';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { eventually } from '../kit/eventually.ts';
import { skipWithout } from '../kit/requirements.ts';
import { openNode, someBusKey } from '../kit/server/bus-node.ts';
import { startNats, type Nats } from '../kit/server/nats.ts';

const skip = skipWithout('nats-server');
const now = (): number => Math.floor(Date.now() / 1_000);

/** A connection whose device carries out every command at once; `sent` receives their names. */
function answeringConnection(epoch: string, sent: string[]): UplinkConnection {
  const send = (text: string): void => {
    const { name, number } = JSON.parse(text) as { name: string; number: number };
    sent.push(name);
    resolveCommand(connection, number, { done: {} });
  };
  const connection = {
    agentId: 9,
    approved: true,
    version: 1_000,
    epoch,
    lastNumber: 0,
    pendingCommands: new Map(),
    sentCommands: new Map(),
    socket: { send },
  } as unknown as UplinkConnection;
  return connection;
}

describe('a stranger on NATS', { skip }, () => {
  let nats: Nats;
  let one: Bus;
  let other: Bus;
  let stranger: NatsConnection;
  const asked: unknown[] = [];
  const hints: unknown[] = [];
  const subject = 'drawbridge.tests.agent.7.command';
  const hint = 'drawbridge.tests.agents.arrived';

  before(async () => {
    nats = await startNats();
    [one, other] = await Promise.all([openNode(nats.url), openNode(nats.url)]);
    stranger = await connect({ servers: nats.url });
    other.answer('agent.7.command', async (message) => (asked.push(message), 'done'));
    other.subscribe('agents.arrived', (message) => hints.push(message));
    await eventually(
      () => one.request('agent.7.command', 'first', 1_000),
      (answer) => answer === 'done',
    );
  });
  after(async () => {
    await Promise.all([one?.close(), other?.close(), stranger?.close()]);
    await nats?.[Symbol.asyncDispose]();
  });

  /** Resolves when the node has handled everything that was sent to it before. */
  async function settle(): Promise<void> {
    await stranger.flush();
    const marker = `marker ${asked.length}`;
    await one.request('agent.7.command', marker, 5_000);
    assert.equal(asked.at(-1), marker);
  }

  const sealWith = (key: number, at = now(), to = subject): Buffer =>
    createEnvelopes({ newest: () => someBusKey(key), find: () => undefined, now: () => at }).seal(to, {
      message: 'forged',
      reply: 'drawbridge.tests.reply.x',
    });

  for (const [name, bytes] of [
    ['plain JSON', () => Buffer.from(JSON.stringify({ message: 'forged', reply: 'x' }))],
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from([1])],
    ['a key that nobody has', () => sealWith(2)],
    [
      'the number of a real key with another secret',
      () => {
        const forged = sealWith(2);
        forged.writeUInt32BE(1, 1);
        return forged;
      },
    ],
    ['a message from an hour ago', () => sealWith(1, now() - 3_600)],
    ['a message from the future', () => sealWith(1, now() + 3_600)],
    ['a message for another subject', () => sealWith(1, now(), 'drawbridge.tests.agent.8.command')],
    [
      'an altered time',
      () => {
        const altered = sealWith(1);
        altered.writeUIntBE(now() + 1, 5, 6);
        return altered;
      },
    ],
  ] as const)
    test(`is not believed with ${name}`, async () => {
      const count = asked.length;
      stranger.publish(subject, bytes());
      stranger.publish(hint, bytes());
      await settle();

      assert.equal(asked.length, count + 1, 'the marker only');
      assert.deepEqual(hints, []);
    });

  test('cannot send a recorded message again', async () => {
    const recorded: { subject: string; data: Uint8Array }[] = [];
    stranger.subscribe('drawbridge.>', { callback: (_error, message) => void recorded.push(message) });
    await stranger.flush();
    assert.equal(await one.request('agent.7.command', 'once', 5_000), 'done');
    one.publish('agents.arrived', { agentId: 7 });
    await eventually(
      () => hints.length,
      (count) => count === 1,
    );
    const commands = recorded.filter((message) => message.subject === subject);
    assert.equal(commands.length, 1);
    for (const { subject: to, data } of recorded.slice()) stranger.publish(to, data);
    await settle();

    assert.equal(asked.filter((message) => message === 'once').length, 1);
    assert.equal(hints.length, 1);
  });

  test('cannot send a recorded command again to the node at which the device arrives next', async () => {
    const sent: string[] = [];
    let epoch = 'first';
    const standings = async () => [{ id: 9, epoch, approved: true, leaseUntil: now() + 30 }];
    const store = { deviceIdentity: { standings }, now, isExclusive: false };
    const holdDevice = (bus: Bus): (() => void) => {
      const connection = answeringConnection(epoch, sent);
      return bus.answer('agent.9.command', (message) => passOnCommand({ store }, connection, message));
    };
    const fleet = createBusFleet(one, store);
    const ask = (name: 'reboot' | 'lock') =>
      eventually(
        () => fleet.command(9, name, { safe: false }),
        (answer) => typeof answer === 'object',
      );
    const recorded: Uint8Array[] = [];
    const recorder = stranger.subscribe('drawbridge.tests.agent.9.command', {
      callback: (_error, message) => void recorded.push(message.data),
    });
    await stranger.flush();
    const leave = holdDevice(other);
    await ask('reboot');
    recorder.unsubscribe();

    leave();
    epoch = 'second';
    const third = await openNode(nats.url);
    holdDevice(third);
    await ask('lock');
    for (const data of recorded) stranger.publish('drawbridge.tests.agent.9.command', data);
    await stranger.flush();
    await ask('lock');
    await third.close();

    assert.deepEqual(sent, ['reboot', 'lock', 'lock']);
  });

  test('reads nothing of what nodes send', async () => {
    const heard: string[] = [];
    const all = stranger.subscribe('>', {
      callback: (_error, message) => void heard.push(Buffer.from(message.data).toString('latin1')),
    });
    await stranger.flush();
    await one.request('agent.7.command', 'a secret of the session', 5_000);
    await eventually(
      () => heard.length,
      (count) => count >= 2,
    );
    all.unsubscribe();

    assert.ok(heard.every((text) => !text.includes('secret') && !text.includes('done')));
  });

  test('cannot make an online device count as offline', async () => {
    const release = Promise.withResolvers<void>();
    other.answer('agent.8.command', async (message) => (message === 'ready' ? 'ready' : release.promise));
    await eventually(
      () => one.request('agent.8.command', 'ready', 1_000),
      (answer) => answer === 'ready',
    );
    const noResponders = headers(503, 'No Responders');
    const eavesdropper = stranger.subscribe('drawbridge.tests.agent.8.command', {
      callback: (_error, message) => void message.respond(undefined, { headers: noResponders }),
    });
    await stranger.flush();
    const standings = async () => [{ id: 8, epoch: 'e', approved: true, leaseUntil: now() + 30 }];
    const fleet = createBusFleet(one, { deviceIdentity: { standings }, now, isExclusive: false });
    const result = await fleet.command(8, 'reboot', { safe: false });
    release.resolve();
    eavesdropper.unsubscribe();

    assert.equal(result, 'unreachable');
  });

  test('cannot have a command carried out twice', async () => {
    const sent: string[] = [];
    const release = Promise.withResolvers<void>();
    const standings = async () => [{ id: 9, epoch: 'e', approved: true, leaseUntil: now() + 30 }];
    const connection = answeringConnection('e', sent);
    const node = { deviceIdentity: { standings: async () => (await release.promise, await standings()) } };
    const leave = other.answer('agent.9.command', (message) =>
      message === 'ready' ? Promise.resolve(message) : passOnCommand({ store: node }, connection, message),
    );
    await eventually(
      () => one.request('agent.9.command', 'ready', 1_000),
      (answer) => answer === 'ready',
    );
    let seen = 0;
    const eavesdropper = stranger.subscribe('drawbridge.tests.agent.9.command', {
      callback(_error, message) {
        seen += 1;
        message.respond(undefined, { headers: headers(503, 'No Responders') });
      },
    });
    await stranger.flush();
    const fleet = createBusFleet(one, { deviceIdentity: { standings }, now, isExclusive: false });
    const result = await fleet.command(9, 'reboot', { safe: false });
    eavesdropper.unsubscribe();
    release.resolve();
    await fleet.command(9, 'lock', {});
    leave();

    assert.deepEqual([result, seen], ['unreachable', 3]);
    assert.deepEqual(sent, ['reboot', 'lock']);
  });

  test('cannot answer in place of a node', async () => {
    other.answer('slow', async (message) =>
      message === 'ready' ? 'ready' : (await release.promise, 'true'),
    );
    const release = Promise.withResolvers<void>();
    await eventually(
      () => one.request('slow', 'ready', 1_000),
      (answer) => answer === 'ready',
    );
    const eavesdropper = stranger.subscribe('drawbridge.tests.slow', {
      callback(_error, message) {
        message.respond(JSON.stringify({ answer: 'forged' }));
        message.respond(sealWith(2));
        void stranger.flush().then(release.resolve);
      },
    });
    await stranger.flush();
    const answer = await one.request('slow', {}, 5_000);
    eavesdropper.unsubscribe();

    assert.equal(answer, 'true');
  });
});

describe('a request', { skip }, () => {
  test('that the caller has given up is not begun', async () => {
    await using nats = await startNats();
    let ahead = 0;
    const one = await openNode(nats.url);
    const other = await openNode(nats.url, { now: () => now() + ahead });
    const asked: unknown[] = [];
    other.answer('ask', async (message) => asked.push(message));
    const ask = (message: string) => one.request('ask', message, 1_000);
    await eventually(() => ask('first'), hasAnswer);
    asked.length = 0;

    ahead = 10;
    const late = await ask('late');
    ahead = 2;
    const soon = await ask('soon');

    assert.deepEqual([late, soon, asked], [busTimeout, 1, ['soon']]);
    await Promise.all([one.close(), other.close()]);
  });

  test('of an older node, which says nothing about the time, is answered', async () => {
    await using nats = await startNats();
    const node = await openNode(nats.url);
    const older = await connect({ servers: nats.url });
    const envelopes = createEnvelopes({ newest: () => someBusKey(1), find: () => someBusKey(1), now });
    const replies: unknown[] = [];
    older.subscribe('drawbridge.tests.reply.older', {
      callback: (_error, { subject, data }) => void replies.push(envelopes.open(subject, data)),
    });
    node.answer('ask', async (message) => ({ answered: message }));
    const subject = 'drawbridge.tests.ask';

    await eventually(
      () => {
        older.publish(
          subject,
          envelopes.seal(subject, { message: 'is', reply: 'drawbridge.tests.reply.older' }),
        );
        return replies.length;
      },
      (count) => count > 0,
    );

    assert.deepEqual(replies[0], { message: { answer: { answered: 'is' } } });
    await Promise.all([node.close(), older.close()]);
  });
});

describe('two deployments on one NATS', { skip }, () => {
  test('neither hear nor command each other, even with equal ids', async () => {
    await using nats = await startNats();
    const [one, stranger, clone] = await Promise.all([
      openNode(nats.url, { deployment: 'one' }),
      openNode(nats.url, { deployment: 'other' }),
      openNode(nats.url, {
        deployment: 'one',
        fetchKeys: async () => [{ id: 1, secret: Buffer.alloc(32, 9) }],
      }),
    ]);
    const heard: unknown[] = [];
    one.subscribe('agents.arrived', (message) => heard.push(message));
    one.answer('agent.1.command', async () => 'done by one');
    const own = await openNode(nats.url, { deployment: 'one' });
    await eventually(
      () => own.request('agent.1.command', {}, 1_000),
      (answer) => answer === 'done by one',
    );

    assert.equal(await stranger.request('agent.1.command', {}, 2_000), noResponder);
    assert.equal(await clone.request('agent.1.command', {}, 500), busTimeout);
    for (const each of [stranger, clone]) each.publish('agents.arrived', { agentId: 1 });
    await own.request('agent.1.command', {}, 2_000);
    own.publish('agents.arrived', { agentId: 2 });
    await eventually(
      () => heard.length,
      (count) => count > 0,
    );

    assert.deepEqual(heard, [{ agentId: 2 }]);
    await Promise.all([one, stranger, clone, own].map((each) => each.close()));
  });

  test('a node that has not seen the newest key fetches it', async () => {
    await using nats = await startNats();
    let keys = [someBusKey(1)];
    const options = { fetchKeys: async () => keys };
    const old = await openNode(nats.url, options);
    old.answer('ask', async () => 'here');
    keys = [someBusKey(1), someBusKey(2)];
    const fresh = await openNode(nats.url, options);

    assert.equal(
      await eventually(
        () => fresh.request('ask', {}, 1_000),
        (answer) => answer === 'here',
      ),
      'here',
    );
    await Promise.all([old.close(), fresh.close()]);
  });
});
