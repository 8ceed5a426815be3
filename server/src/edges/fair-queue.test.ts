/** The fair queue: the order of tasks, which tasks are refused, and that a flood delays other keys by one task only. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue, type QueueLimits } from './fair-queue.ts';

const limits: QueueLimits = { concurrency: 2, perKey: 32, capacity: 512 };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose tasks run until `finish` ends them; `begun` lists the keys in the order in which their tasks began. */
function open(some: Partial<QueueLimits> = {}) {
  const enqueue = createFairQueue({ ...limits, ...some }, 'full');
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  const all: Promise<void>[] = [];
  return {
    enqueue,
    begun,
    refused,
    all,
    send(key: string, count = 1) {
      for (let at = 0; at < count; at++)
        all.push(
          enqueue(key, () => {
            begun.push(key);
            return new Promise<void>((end) => ends.push(end));
          }).then((outcome) => void (outcome === 'full' && refused.push(key))),
        );
    },
    /** Ends this many tasks, the oldest first. */
    async finish(count: number) {
      for (let at = 0; at < count; at++) {
        ends.shift()?.();
        await settled();
      }
    },
  };
}

test('the number of running tasks is limited, and tasks of one key run in order', async () => {
  const enqueue = createFairQueue(limits, 'full');
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const all = gates.map((gate, n) => enqueue('one', () => (begun.push(n), gate.promise)));

  await settled();
  assert.deepEqual(begun, [0, 1]);
  gates[1]!.resolve();
  await settled();
  assert.deepEqual(begun, [0, 1, 2]);
  for (const gate of gates) gate.resolve();
  await Promise.all(all);

  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
});

test('a task waits for a single task of a flood from another network, whatever its size', async () => {
  const queue = open();
  queue.send('flood', 10_000);
  await settled();
  assert.deepEqual([queue.begun.length, queue.refused.length], [2, 9_966]);

  queue.send('owner');
  await queue.finish(2);

  assert.deepEqual(queue.begun, ['flood', 'flood', 'flood', 'owner']);
});

test('a task waits for one task of each flooding network', async () => {
  const queue = open();
  for (let network = 0; network < 15; network++) queue.send(`flood ${network}`, 100);
  await settled();

  queue.send('owner');
  await queue.finish(40);

  assert.equal(queue.begun.filter((key) => key === 'owner').length, 1);
  assert.ok(queue.begun.indexOf('owner') <= 2 + 15, queue.begun.join());
});

test('when the queue is full, the longest queue loses a task to a new network', async () => {
  const queue = open({ capacity: 64 });
  queue.send('one', 34);
  queue.send('two', 32);
  await settled();
  assert.deepEqual(queue.refused, []);

  queue.send('owner', 2);
  await settled();

  assert.deepEqual(queue.refused, ['one', 'two']);
  await queue.finish(6);
  assert.equal(queue.begun.filter((key) => key === 'owner').length, 2);
});

test('when the queue is full and each network waits with one task, the next task is refused', async () => {
  const queue = open({ capacity: 10 });
  queue.send('first', 2);
  for (let network = 0; network < 10; network++) queue.send(`network ${network}`);
  await settled();

  queue.send('owner');
  await settled();

  assert.deepEqual(queue.refused, ['owner']);
});

test('a failed task releases its slot, and a refused task takes none', async () => {
  const queue = open({ concurrency: 1, perKey: 1 });

  await assert.rejects(
    queue.enqueue('one', () => Promise.reject(new Error('no memory'))),
    /no memory/,
  );
  queue.send('one', 3);
  await queue.finish(2);
  await Promise.all(queue.all);

  assert.deepEqual([queue.begun.length, queue.refused.length], [2, 1]);
  assert.equal(await queue.enqueue('two', async () => 'done'), 'done');
});
