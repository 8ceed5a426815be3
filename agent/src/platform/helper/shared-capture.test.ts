/** Tests that all who watch share one capture, and that nobody misses a change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '../desktop.ts';
import { createSharedCaptures } from './shared-capture.ts';

const boxAt = (x: number): Box => ({ x, y: 0, width: 1, height: 1 });

/** A screen whose captures are counted. */
function createScreen() {
  const events: string[] = [];
  const screen = { isCurrent: true, changed: [] as Box[], failure: undefined as Error | undefined };
  let opened = 0;
  let damaged = (): void => {};
  let point: Parameters<Capture['onCursor']>[0] = () => {};
  const acquire = createSharedCaptures(async () => {
    const name = (opened += 1);
    events.push(`open ${name}`);
    return {
      isCurrent: () => screen.isCurrent,
      async damage() {
        if (screen.failure) throw screen.failure;
        return screen.changed.splice(0);
      },
      grab: async () => [],
      onDamage: (listener) => void (damaged = listener),
      onCursor(listener) {
        events.push('cursor');
        point = listener;
      },
      close: () => void events.push(`close ${name}`),
    };
  });
  const change = (x: number): void => {
    screen.changed.push(boxAt(x));
    damaged();
  };
  return { acquire, events, screen, change, point: (...at: Parameters<typeof point>) => point(...at) };
}

/** How often a watcher was told of changes. */
function countCalls(capture: Capture): () => number {
  let calls = 0;
  capture.onDamage(() => (calls += 1));
  return () => calls;
}

test('two watchers open one capture, each gets every change once, and the last one closes it', async () => {
  const { acquire, events, change } = createScreen();
  const [first, second] = [await acquire(), await acquire()];
  const [callsOfFirst, callsOfSecond] = [countCalls(first), countCalls(second)];

  change(1);
  assert.deepEqual([callsOfFirst(), callsOfSecond()], [1, 1]);
  assert.deepEqual(await first.damage(), [boxAt(1)]);
  assert.deepEqual(await first.damage(), []);
  assert.deepEqual(await second.damage(), [boxAt(1)]);

  first.close();
  first.close();
  change(2);
  assert.equal(callsOfFirst(), 1);
  assert.deepEqual(await second.damage(), [boxAt(2)]);
  assert.deepEqual(events, ['open 1']);
  second.close();
  assert.deepEqual(events, ['open 1', 'close 1']);
});

test('a watcher that asked a moment before another one is told of what that one found', async () => {
  const { acquire, screen } = createScreen();
  const [first, second] = [await acquire(), await acquire()];
  const calls = countCalls(second);

  assert.deepEqual(await second.damage(), []);
  screen.changed.push(boxAt(3));
  await first.damage();

  assert.equal(calls(), 1);
  assert.deepEqual(await second.damage(), [boxAt(3)]);
});

test('what a watcher does not fetch is merged, also what others find when they join', async () => {
  const { acquire, change } = createScreen();
  const paused = await acquire();
  change(0);
  const busy = await acquire();
  assert.deepEqual(await busy.damage(), []);
  for (let x = 1; x <= 256; x += 1) {
    change(x);
    await busy.damage();
  }

  assert.deepEqual(await paused.damage(), [{ x: 0, y: 0, width: 257, height: 1 }]);
});

test('the pointer is watched once, and a later watcher gets its place and its last shape', async () => {
  const { acquire, events, point } = createScreen();
  const shape = { width: 1, height: 1, hotX: 0, hotY: 0, rgba: new Uint8Array(4) };
  const seen: unknown[] = [];
  (await acquire()).onCursor(() => {});
  point({ x: 1, y: 2, shape });
  point({ x: 3, y: 4 });
  (await acquire()).onCursor((cursor) => seen.push(cursor));
  point({ x: 5, y: 6 });

  assert.deepEqual(seen, [
    { x: 3, y: 4, shape },
    { x: 5, y: 6 },
  ]);
  assert.deepEqual(events, ['open 1', 'cursor']);
});

test('after a change of the monitors or a failure, the next watcher opens another capture', async () => {
  const { acquire, events, screen } = createScreen();
  const first = await acquire();
  screen.isCurrent = false;
  const second = await acquire();
  first.close();
  assert.deepEqual(events, ['open 1', 'open 2', 'close 1']);

  screen.isCurrent = true;
  screen.failure = new Error('it failed');
  await assert.rejects(second.damage(), /it failed/);
  await assert.rejects(acquire(), /it failed/);
  screen.failure = undefined;
  await acquire();
  assert.deepEqual(events.slice(3), ['open 3', 'close 3', 'open 4']);
});
