/** Tests of the simulation: it repeats itself, agrees with known results, and loses no device. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEventQueue } from './event-queue.ts';
import { simulate, type SimulatedDeployment } from './simulation.ts';
import { createStations } from './station.ts';
import { createWorld, untilNext } from './world.ts';

const size: SimulatedDeployment = {
  devices: 2_000,
  sessions: 20,
  requestsPerSecond: 10,
  gateways: 2,
  relays: 2,
  apiNodes: 1,
  databases: 1,
};
const loss = { gateways: 1, restartSeconds: Infinity, relay: true, seconds: 60 };

test('events happen in the order of their times, and of their addition', () => {
  const queue = createEventQueue();
  const times = [5, 1, 3, 1, 4, 1, 5, 9, 2, 6];
  times.forEach((at, id) => queue.add({ at, kind: 0, id, attempt: 0 }));

  const taken = times.map(() => queue.take()!);

  assert.deepEqual(
    taken.map(({ id }) => id),
    [1, 3, 5, 8, 2, 4, 0, 6, 9, 7],
  );
  assert.deepEqual([queue.take(), queue.nextAt()], [undefined, Infinity]);
});

test('a queue with random arrivals and a fixed cost has the mean wait that theory says', () => {
  const world = createWorld(7);
  const station = createStations(world)();
  const [load, cost] = [0.8, 1];
  let [waited, count] = [0, 0];
  world.on('requestArrives', () => {
    world.after(untilNext(world.random(), load / cost), 'requestArrives', 0);
    const began = world.now();
    const done = (): void => {
      waited += world.now() - began - cost;
      count += 1;
    };
    station.add({ cost, isWanted: () => true, done });
  });
  world.after(0, 'requestArrives', 0);

  world.runUntil(200_000);

  const expected = (load * cost) / (2 * (1 - load)); // Pollaczek and Khinchine
  assert.ok(Math.abs(waited / count - expected) < 0.1 * expected, `${waited / count} instead of ${expected}`);
  assert.ok(Math.abs(station.takeUse() - load) < 0.02);
});

test('the same seed has the same result, and all devices of a lost gateway return', () => {
  const [one, again] = [simulate(size, loss, 1), simulate(size, loss, 1)];

  assert.deepEqual(one, again);
  assert.notDeepEqual(one, simulate(size, loss, 2));
  assert.deepEqual([one.lost, one.backAtEnd, one.wasted], [1_000, 1, 0]);
  assert.ok(one.backAll! >= 14 && one.backAll! <= 20, String(one.backAll));
  assert.ok(one.longestInterruption >= 0.5 && one.longestInterruption < 5);
});
