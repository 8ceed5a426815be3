/** The bus: one suite for every kind of it, and tests of what holds only between processes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  busTimeout,
  hasAnswer,
  nodeUnreachable,
  noResponder,
  notMine,
  type Bus,
} from '@drawbridge/server/bus/bus';
import { createMemoryBus } from '@drawbridge/server/bus/memory';
import { skipWithout } from '../kit/requirements.ts';
import { freePort } from '../kit/free-port.ts';
import { natsAt, openNode } from '../kit/server/bus-node.ts';
import { startNats, type Nats } from '../kit/server/nats.ts';
import { eventually } from '../kit/eventually.ts';
import { startStopwatch } from '../kit/stopwatch.ts';

const noNats = skipWithout('nats-server');
let nats: Nats;
before(async () => {
  if (!noNats) nats = await startNats();
});
after(() => nats?.[Symbol.asyncDispose]());

/** Two ends of one bus: in one process they are the same. */
type Ends = { one: Bus; other: Bus; close(): Promise<unknown> };

const kinds: { kind: string; skip: string | false; open(): Promise<Ends> }[] = [
  {
    kind: 'inside one process',
    skip: false,
    async open() {
      const bus = createMemoryBus();
      return { one: bus, other: bus, close: () => bus.close() };
    },
  },
  {
    kind: 'over NATS',
    skip: noNats,
    async open() {
      const [one, other] = await Promise.all([openNode(nats.url), openNode(nats.url)]);
      return { one, other, close: () => Promise.all([one.close(), other.close()]) };
    },
  },
];

const receivedBy = (bus: Bus, subject: string): unknown[] => {
  const received: unknown[] = [];
  bus.subscribe(subject, (message) => received.push(message));
  return received;
};

/** A subscription takes a moment to reach everyone: retries until someone answers. */
const answered = (bus: Bus, subject: string, message: unknown): Promise<unknown> =>
  eventually(() => bus.request(subject, message, 1_000), hasAnswer);

for (const { kind, skip, open } of kinds)
  describe(`the bus ${kind}`, { skip }, () => {
    let ends: Ends;
    before(async () => {
      ends = await open();
    });
    after(() => ends.close());

    test('a hint reaches every subscriber, in order, and nobody who subscribed to another subject', async () => {
      const { one, other } = ends;
      const [near, far, unrelated] = [
        receivedBy(one, 'hint.a'),
        receivedBy(other, 'hint.a'),
        receivedBy(other, 'hint.b'),
      ];
      await eventually(
        () => (one.publish('hint.a', 'is anybody there'), far.length),
        (count) => count > 0,
      );
      for (const number of [1, 2, 3]) one.publish('hint.a', { number });
      await eventually(
        () => [near, far],
        (both) =>
          both.every((received) => received.some((each) => (each as { number?: number }).number === 3)),
      );

      for (const received of [near, far])
        assert.deepEqual(received.slice(-3), [{ number: 1 }, { number: 2 }, { number: 3 }]);
      assert.deepEqual(unrelated, []);
    });

    test('two subscribers in one process both receive a hint, once', async () => {
      const { one, other } = ends;
      const [first, second] = [receivedBy(other, 'hint.twice'), receivedBy(other, 'hint.twice')];
      await eventually(
        () => (one.publish('hint.twice', 'again'), Math.min(first.length, second.length)),
        (count) => count > 0,
      );
      one.publish('hint.twice', 'last');
      await eventually(
        () => [first, second],
        (both) => both.every((received) => received.includes('last')),
      );

      for (const received of [first, second])
        assert.equal(received.filter((message) => message === 'last').length, 1);
    });

    test('a cancelled subscription receives nothing more', async () => {
      const { one, other } = ends;
      const received: unknown[] = [];
      const stop = other.subscribe('hint.c', (message) => received.push(message));
      await eventually(
        () => (one.publish('hint.c', 1), received.length),
        (count) => count > 0,
      );
      stop();
      const witness = receivedBy(other, 'hint.d');
      one.publish('hint.c', 2);
      await eventually(
        () => (one.publish('hint.d', 3), witness.length),
        (count) => count > 0,
      );

      assert.equal(received.filter((message) => message === 2).length, 0);
    });

    test('a request is answered by the responder of its subject', async () => {
      const { one, other } = ends;
      other.answer('ask.a', async (message) => ({ you: message }));

      const answer = await answered(one, 'ask.a', { text: 'äöü 🜁', list: [1, null] });

      assert.deepEqual(answer, { you: { text: 'äöü 🜁', list: [1, null] } });
    });

    test('a request without a responder fails at once', async () => {
      using started = startStopwatch();

      assert.equal(await ends.one.request('ask.nobody', {}, 10_000), noResponder);

      assert.ok(started.ms() < 2_000);
    });

    test('an answer after the timeout counts as none, and is told from a responder that is not there', async () => {
      const { one, other } = ends;
      const never = Promise.withResolvers<never>();
      other.answer('ask.slow', async (message) => (message === 'quick' ? 'here' : never.promise));
      await answered(one, 'ask.slow', 'quick');

      assert.equal(await one.request('ask.slow', 'slow', 50), busTimeout);
    });

    test('a responder that fails counts as no answer, is detected at once, and affects nobody else', async () => {
      const { one, other } = ends;
      other.answer('ask.broken', async (message) => {
        if (message === 'break') throw new Error('this one is broken on purpose');
        return 'fine';
      });
      await answered(one, 'ask.broken', 'hello');
      using started = startStopwatch();

      assert.equal(await one.request('ask.broken', 'break', 10_000), undefined);

      assert.ok(started.ms() < 2_000);
      assert.equal(await one.request('ask.broken', 'hello', 1_000), 'fine');
    });

    test('no answer and an empty one are reported alike', async () => {
      const { one, other } = ends;
      other.answer('ask.empty', async (message) => (message === 'filled' ? 'something' : undefined));
      await answered(one, 'ask.empty', 'filled');

      assert.equal(await one.request('ask.empty', 'empty', 1_000), undefined);
    });

    test('a cancelled responder is not asked any more', async () => {
      const { one, other } = ends;
      const stop = other.answer('ask.stop', async () => 'here');
      await answered(one, 'ask.stop', {});
      stop();

      const answer = await eventually(
        () => one.request('ask.stop', {}, 1_000),
        (value) => value === noResponder,
      );

      assert.equal(answer, noResponder);
    });

    test('the newest of two responders in one process is asked, and the old one may leave without effect', async () => {
      const { one } = ends;
      const leave = one.answer('ask.twice', async () => 'old');
      one.answer('ask.twice', async () => 'new');

      assert.equal(await one.request('ask.twice', {}, 1_000), 'new');
      leave();
      assert.equal(await one.request('ask.twice', {}, 1_000), 'new');
    });

    test('a request that its only responder leaves to others has no responder, or is not answered in time', async () => {
      const { one } = ends;
      one.answer('ask.elsewhere', async () => notMine);

      const result = await one.request('ask.elsewhere', {}, 200);

      assert.ok(result === noResponder || result === busTimeout, String(result));
    });

    test('a message that cannot be sent, and a subscriber that fails, affect neither the sender nor other subscribers', async () => {
      const { one, other } = ends;
      const endless: Record<string, unknown> = {};
      endless['self'] = endless;
      one.subscribe('hint.broken', () => {
        throw new Error('this one is broken on purpose');
      });
      const [near, far] = [receivedBy(one, 'hint.broken'), receivedBy(other, 'hint.broken')];
      other.answer('ask.huge', async () => 'here');
      await answered(one, 'ask.huge', {});

      one.publish('hint.broken', endless);
      one.publish('hint.broken', 'A'.repeat(2_000_000));
      const endlessAnswer = await one.request('ask.huge', endless, 1_000);
      await one.request('ask.huge', 'A'.repeat(2_000_000), 1_000);
      await eventually(
        () => (one.publish('hint.broken', 'last'), near.includes('last') && far.includes('last')),
        (arrived) => arrived,
      );

      assert.equal(hasAnswer(endlessAnswer), false);
      assert.equal(await one.request('ask.huge', {}, 1_000), 'here');
    });

    test('messages are copies: nobody can change what another holds', async () => {
      const { one, other } = ends;
      const kept = { list: [1] };
      other.answer('ask.copy', async (message) => {
        (message as typeof kept).list.push(2);
        return kept;
      });

      const answer = (await answered(one, 'ask.copy', kept)) as typeof kept;
      answer.list.push(3);

      assert.deepEqual(kept, { list: [1] });
    });
  });

describe('two nodes on NATS', { skip: noNats }, () => {
  test('a request that the responder in the same process leaves to another node reaches that one', async () => {
    const [one, other] = await Promise.all([openNode(nats.url), openNode(nats.url)]);
    other.answer('ask.moved', async () => 'there');
    await answered(one, 'ask.moved', {});
    one.answer('ask.moved', async () => notMine);

    assert.equal(await one.request('ask.moved', {}, 1_000), 'there');
    await Promise.all([one.close(), other.close()]);
  });
});

describe('the bus over NATS when NATS fails', { skip: noNats }, () => {
  test('local requests continue, remote ones fail at once, nothing is sent later, and all works again', async () => {
    await using own = await startNats();
    const [one, other] = await Promise.all([openNode(own.url), openNode(own.url)]);
    const asked: unknown[] = [];
    let gaps = 0;
    one.onGap(() => gaps++);
    one.answer('ask.near', async () => 'near');
    other.answer('ask.far', async (message) => (asked.push(message), 'far'));
    await answered(one, 'ask.far', 'before');

    await own.stop();
    const lost = await eventually(
      () => one.request('ask.far', 'reconnaissance', 100),
      (answer) => answer === nodeUnreachable,
    );
    using started = startStopwatch();
    const meanwhile = await one.request('ask.far', 'while it is broken', 10_000);
    const took = started.ms();
    one.publish('hint', 'into the void');
    assert.equal(await one.request('ask.near', {}, 1_000), 'near');
    await own.start();
    await answered(one, 'ask.far', 'after');

    assert.deepEqual([lost, meanwhile], [nodeUnreachable, nodeUnreachable]);
    assert.ok(took < 1_000, `it took ${took} ms to notice`);
    assert.deepEqual(
      asked.filter((message) => message === 'while it is broken'),
      [],
    );
    assert.ok(gaps > 0);
    await Promise.all([one.close(), other.close()]);
  });

  test('with two clustered NATS servers, nodes at either reach each other, and go on at the one that is left', async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    const clustered = (own: number, peer: number) =>
      startNats([
        '--cluster_name',
        'tests',
        '--cluster',
        `nats://127.0.0.1:${own}`,
        '--routes',
        `nats://127.0.0.1:${peer}`,
      ]);
    await using first = await clustered(port, otherPort);
    await using second = await clustered(otherPort, port);
    const gaps = [0, 0];
    const [one, other] = await Promise.all([
      openNode('', { nats: natsAt(first.url, second.url) }),
      openNode('', { nats: natsAt(second.url, first.url) }),
    ]);
    [one, other].forEach((bus, at) => bus.onGap(() => void gaps[at]!++));
    one.answer('ask.one', async () => 'one');
    other.answer('ask.other', async () => 'other');
    const reach = () => Promise.all([answered(one, 'ask.other', {}), answered(other, 'ask.one', {})]);
    const reached = [await reach()];

    await first.stop();
    reached.push(await reach());
    await first.start();
    await second.stop();
    reached.push(await reach());

    assert.deepEqual(reached, [
      ['other', 'one'],
      ['other', 'one'],
      ['other', 'one'],
    ]);
    // Each was at the first or at the second when that one ended.
    assert.ok(
      gaps.every((count) => count > 0),
      String(gaps),
    );
    await Promise.all([one.close(), other.close()]);
  });

  test('it can be closed while NATS is down', async () => {
    await using own = await startNats();
    const bus = await openNode(own.url);
    bus.answer('ask', async () => 'here');
    await own.stop();

    await bus.close();
  });

  test('opened before NATS is up it serves this process, reports it, and serves the rest as soon as NATS is up', async () => {
    await using own = await startNats();
    await own.stop();
    const lines: string[] = [];
    let gaps = 0;
    const [one, other] = await Promise.all([
      openNode(own.url, { onState: (state) => lines.push(state) }),
      openNode(own.url),
    ]);
    one.onGap(() => gaps++);
    one.answer('ask.near', async () => 'near');
    other.answer('ask.far', async () => 'far');
    const received = receivedBy(other, 'hint');

    assert.equal(
      await other.request('ask.near', {}, 10_000),
      nodeUnreachable,
      'at once: nobody can be asked',
    );
    assert.equal(await one.request('ask.near', {}, 1_000), 'near');
    assert.deepEqual(lines, ['down']);
    await own.start();
    assert.equal(await answered(one, 'ask.far', {}), 'far');
    await eventually(
      () => (one.publish('hint', 1), received.length),
      (count) => count > 0,
    );

    assert.deepEqual([lines, gaps], [['down', 'up'], 1]);
    await Promise.all([one.close(), other.close()]);
  });

  test('after it is closed nothing is sent, and nothing fails', async () => {
    await using own = await startNats();
    const failures: unknown[] = [];
    const bus = await openNode(own.url, { onFailure: (error) => failures.push(error) });
    const closed = bus.close();
    bus.publish('hint', 1);
    const results = [await bus.request('ask', {}, 1_000)];
    await closed;
    bus.publish('hint', 2);
    results.push(await bus.request('ask', {}, 1_000));

    assert.deepEqual([results, failures], [[nodeUnreachable, nodeUnreachable], []]);
  });

  test('it can be closed before NATS was ever up', async () => {
    await using own = await startNats();
    await own.stop();
    const bus = await openNode(own.url);

    await bus.close();
  });

  test('an answer that is too large for NATS counts as none', async () => {
    await using own = await startNats();
    const [one, other] = await Promise.all([openNode(own.url), openNode(own.url)]);
    other.answer('ask.large', async (message) => 'A'.repeat(Number(message)));
    await answered(one, 'ask.large', 10);

    assert.equal(await one.request('ask.large', 2_000_000, 5_000), undefined);
    assert.equal(((await one.request('ask.large', 1_000_000, 5_000)) as string).length, 1_000_000);
    await Promise.all([one.close(), other.close()]);
  });
});
