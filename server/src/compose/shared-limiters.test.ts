/** Tests guess limits that several nodes share: the same counts as on one node, and what holds when the keeper is away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryBus } from '../bus/memory.ts';
import type { Bus } from '../bus/bus.ts';
import {
  createGuessLimiter,
  type Guess,
  type GuessLimits,
  type SharedGuessLimiter,
} from '../edges/guess-limiter.ts';
import { openSharedLimiters, type SharedLimiters } from './shared-limiters.ts';

const limits: GuessLimits = {
  perNetwork: { perSecond: 0, burst: 10 },
  perPair: { perSecond: 0, burst: 10 },
  total: { perSecond: 0, burst: 20 },
};

interface TestNode {
  limiter: SharedGuessLimiter;
  shared: SharedLimiters;
}

/** Nodes that know each other, on one bus. */
function openNodes(bus: Bus, names: readonly string[]): TestNode[] {
  return names.map((id) => {
    const shared = openSharedLimiters(bus, { id, others: () => names.filter((name) => name !== id) });
    const limiter = shared.share(
      'tests',
      createGuessLimiter(limits, () => 0),
    );
    return { limiter, shared };
  });
}

/** So many guesses at once, spread over the nodes; returns those that were allowed. */
async function guessAt(nodes: readonly TestNode[], count: number, address: (at: number) => string) {
  const all = Array.from({ length: count }, (_, at) =>
    nodes[at % nodes.length]!.limiter.guess(['secret'], address(at)),
  );
  return (await Promise.all(all)).filter((guess: Guess) => guess.allowed.length > 0);
}

test('guesses of one network, and of many, at three nodes at once are as limited as at one', async () => {
  const nodes = openNodes(createMemoryBus(), ['c', 'a', 'b']);

  assert.equal((await guessAt(nodes, 60, () => '192.0.2.1')).length, 10);
  assert.equal((await guessAt(nodes, 300, (at) => `198.51.100.${at % 200}`)).length, 10);
});

test('a right guess at one node does not count at any, and one that was not compared neither', async () => {
  const nodes = openNodes(createMemoryBus(), ['a', 'b', 'c']);

  for (let round = 0; round < 30; round++) {
    const [guess] = await guessAt(nodes.slice(round % 3), 1, () => '192.0.2.1');
    assert.ok(guess, `round ${round}`);
    if (round % 2) guess.confirm(['secret']);
    else guess.undo();
  }
});

test('a guess that this node refuses is not sent to another', async () => {
  const bus = createMemoryBus();
  const asked: string[] = [];
  const counting: Bus = {
    ...bus,
    request: (...request) => (asked.push(request[0]), bus.request(...request)),
  };
  const [, other] = openNodes(counting, ['a', 'b']);

  await guessAt([other!], 500, () => '192.0.2.1');

  assert.equal(asked.length, 10);
});

test('without the keeper the next node keeps the count, and without any the limit of each node holds', async () => {
  const nodes = openNodes(createMemoryBus(), ['a', 'b', 'c']);
  nodes[0]!.shared.close();
  const [, ...rest] = nodes;
  assert.equal((await guessAt(rest, 60, () => '192.0.2.1')).length, 10);

  rest[0]!.shared.close();
  assert.equal((await guessAt(rest.slice(1), 60, () => '192.0.2.2')).length, 10);
});

test('nodes without a limiter, which other roles have, are left out for this limiter and keep the others', async () => {
  const bus = createMemoryBus();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const nodes = names.map((id) =>
    openSharedLimiters(bus, { id, others: () => names.filter((name) => name !== id) }),
  );
  const create = () => createGuessLimiter(limits, () => 0);
  const everywhere = nodes.map((shared) => ({ shared, limiter: shared.share('of all', create()) }));
  const ofTwo = nodes.slice(3).map((shared) => ({ shared, limiter: shared.share('of two roles', create()) }));
  const atTwo = everywhere.slice(3);

  const first = await guessAt(atTwo, 5, () => '192.0.2.1');
  const links = await guessAt(ofTwo, 60, () => '192.0.2.1');
  const rest = await guessAt(atTwo, 60, () => '192.0.2.1');

  assert.deepEqual([links.length, first.length + rest.length], [10, 10]);
});

test('a keeper that is silent delays one guess and is then passed over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bus = createMemoryBus();
  let requests = 0;
  const counting: Bus = { ...bus, request: (...request) => (requests++, bus.request(...request)) };
  const [, node] = openNodes(counting, ['a', 'b']);
  bus.answer('limits.a', () => new Promise(() => {}));

  const delayed = guessAt([node!], 1, () => '192.0.2.1');
  t.mock.timers.tick(3_000);
  assert.equal((await delayed).length, 1);
  assert.equal((await guessAt([node!], 60, () => '192.0.2.1')).length, 9);
  assert.equal(requests, 1);
});
