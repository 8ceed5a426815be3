/** What the service and a helper tell each other of drags. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HeldPointer } from '@drawbridge/agent/platform/drag/file-drags';
import type { MessageChannel } from '@drawbridge/agent/platform/helper/message-channel';
import { createRemoteObjects, mainObject } from '@drawbridge/agent/platform/helper/remote-objects';
import { serveObjects } from '@drawbridge/agent/platform/helper/serve-objects';
import { openHelperDrags, serveDrags } from '@drawbridge/agent/platform/linux/wayland/helper-drags';

/** Two ends of a channel; what the first sends arrives when `deliver` is called. */
function createSlowChannel(): { near: MessageChannel; far: MessageChannel; deliver(): void } {
  const waiting: (() => void)[] = [];
  const ends = [[], []] as [((message: never) => void)[], ((message: never) => void)[]];
  const end = (own: 0 | 1): MessageChannel =>
    ({
      send: (message: never) => {
        const arrive = (): void => ends[1 - own]!.forEach((listener) => listener(message));
        if (own === 0) waiting.push(arrive);
        else arrive();
      },
      onMessage: (listener: (message: never) => void) => void ends[own].push(listener),
      onClose() {},
    }) as unknown as MessageChannel;
  return {
    near: end(0),
    far: end(1),
    deliver: () => waiting.splice(0).forEach((arrive) => arrive()),
  };
}

test('a press is as old for the helper as for the service, however long the message was on its way', async () => {
  const { near, far, deliver } = createSlowChannel();
  const searched: HeldPointer[] = [];
  const served = serveObjects(far);
  served.objects.set(mainObject, {
    uriDrags: (object: number) =>
      serveDrags(served, object, {
        onBegin() {},
        search(pointer) {
          searched.push(pointer);
          return { found: Promise.resolve(false), move() {}, close() {} };
        },
        openTarget: () => ({ move() {}, close() {} }),
        close() {},
      }),
  });
  const opening = openHelperDrags(createRemoteObjects(near, { closed: () => 'closed', silent: 'silent' }));
  deliver();
  const drags = await opening;
  const pressedAt = performance.now();
  drags.search({ x: 1, y: 2, pressedAt });
  while (performance.now() < pressedAt + 20);
  deliver();

  const [{ pressedAt: arrived, ...point } = { pressedAt: 0 }] = searched;
  assert.deepEqual(point, { x: 1, y: 2 });
  assert.ok(Math.abs(arrived - pressedAt) < 1, `${arrived - pressedAt} ms later`);
});
