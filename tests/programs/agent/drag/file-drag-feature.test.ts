/** Files dragged out of the picture, on a desktop that the test plays: what happens when a drag ends otherwise. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { defaultPolicy } from '@drawbridge/contract/policy';
import type { Desktop } from '@drawbridge/agent/platform/desktop';
import type { DropListener } from '@drawbridge/agent/platform/drag/file-drags';
import { NotPossible } from '@drawbridge/agent/platform/platform';
import { fileDragFeature } from '@drawbridge/agent/session/features/file-drag';
import { operatorPointerOf, updatePointer } from '@drawbridge/agent/session/operator-pointer';
import { createFakeFeatureContext } from '../../../kit/agent/fake-feature-context.ts';

/** The operator holds a button, and files are dragged. */
async function start() {
  const events: string[] = [];
  let [listener, onBegin, onClose]: [DropListener?, (() => void)?, (() => void)?] = [];
  let whyNot: NotPossible | undefined;
  const drags: Awaited<ReturnType<NonNullable<Desktop['fileDrags']>>> = {
    onBegin: (next) => void (onBegin = next),
    search: () => ({ found: Promise.resolve(true), move() {}, close() {} }),
    openTarget({ x, y }, next) {
      events.push(`open ${x} ${y}`);
      listener = next;
      return {
        move: (toX, toY) => void events.push(`move ${toX} ${toY}`),
        close: () => void events.push('close'),
      };
    },
    close: () => void events.push('no drags'),
  };
  const desktop: Partial<Desktop> = {
    onClose: (next) => void (onClose = next),
    fileDrags: async () => drags,
    close: () => void events.push('no desktop'),
  };
  const context = createFakeFeatureContext({
    async desktop() {
      if (whyNot) throw whyNot;
      return desktop as Desktop;
    },
  });
  Object.assign(context, { permissions: new Set(['agent_control', 'agent_file_transfer']) });
  const feature = fileDragFeature(context);
  await feature.start!();
  const pointer = operatorPointerOf(context);
  updatePointer(pointer, { x: 9, y: 5, buttons: 1 });
  await feature.handlers.file_drag!({ is: 'outside' });
  return {
    context,
    feature,
    pointer,
    events,
    listener: listener!,
    said: () => context.messages('file_drag'),
    /** A program begins a drag, of which those learn that listen on this desktop. */
    async begin() {
      onBegin?.();
      await setImmediate();
    },
    /** The desktop is lost, and there is no other before `next`. */
    lose() {
      whyNot = new NotPossible('Nobody is signed in.');
      onBegin = undefined;
      onClose!();
    },
    next(hasDrags = true) {
      whyNot = undefined;
      if (hasDrags) desktop.fileDrags = async () => drags;
      else delete desktop.fileDrags;
    },
  };
}

test('the target follows the pointer, and is closed if the program does not drop in time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { pointer, events, said, listener } = await start();
  assert.equal(listener.onFiles(['/a']), true);
  listener.onAccepted();
  updatePointer(pointer, { x: 9, y: 7, buttons: 1 });
  updatePointer(pointer, { x: 9, y: 7, buttons: 0 });
  t.mock.timers.tick(2_999);
  const before = [...events];
  t.mock.timers.tick(1);

  assert.deepEqual(before, ['open 9 5', 'move 9 7']);
  assert.deepEqual(events, [...before, 'close']);
  assert.deepEqual(said(), [{ is: 'ready', count: 1 }, { is: 'ended' }]);
});

test('a policy that forbids downloads during the drag closes the target', async () => {
  const { context, feature, events, said } = await start();
  Object.assign(context, { policy: { ...defaultPolicy, files: 'off' } });
  feature.policyChanged!();

  assert.deepEqual(events, ['open 9 5', 'close']);
  assert.deepEqual(said(), [
    { is: 'unable', message: 'The policy of this device does not allow downloads.' },
  ]);
});

test('nothing is left when the session ends', async () => {
  const { feature, events } = await start();
  await feature.stop();

  assert.deepEqual(events, ['open 9 5', 'close', 'no drags', 'no desktop']);
});

test('a drag that begins outside of the picture is taken, and none after the next press', async () => {
  const { pointer, events, begin } = await start();
  await begin();
  updatePointer(pointer, { x: 9, y: 5, buttons: 0 });
  updatePointer(pointer, { x: 1, y: 1, buttons: 1 });
  const afterPress = [...events];
  await begin();

  assert.equal(afterPress.at(-1), 'close');
  assert.deepEqual(events, ['open 9 5', 'close', 'open 9 5', 'close']);
});

/** Longer than the time after which the next desktop is looked for. */
async function passRetry(t: TestContext, waitMs = 1_000): Promise<void> {
  t.mock.timers.tick(waitMs);
  await setImmediate();
}

test('the first drag on the next desktop is taken, although the operator dragged nothing before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { events, begin, lose, next } = await start();
  lose();
  await passRetry(t);
  next();
  await passRetry(t, 2_000);
  await begin();

  assert.deepEqual(events, ['open 9 5', 'close', 'open 9 5']);
});

test('a desktop without drags of files between two others does not end them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { events, begin, lose, next } = await start();
  lose();
  next(false);
  await passRetry(t);
  lose();
  next();
  await passRetry(t);
  await begin();

  assert.deepEqual(events, ['open 9 5', 'close', 'open 9 5']);
});
