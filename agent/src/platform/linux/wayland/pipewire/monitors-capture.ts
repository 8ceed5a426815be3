/** Captures all monitors that the person shares as one picture: one PipeWire stream for each. */
import { intersect } from '../../../../pixels/boxes.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { openPipeWireCapture, type PipeWireCapture } from './capture.ts';
import type { SharedMonitor } from '../compositor/shared-monitors.ts';

interface Part {
  box: SharedMonitor['box'];
  capture: PipeWireCapture;
}

/** `whyEnded` says why the desktop has ended a stream. */
export async function openMonitorsCapture(
  monitors: readonly SharedMonitor[],
  memory: FrameMemory,
  whyEnded: () => Promise<string>,
): Promise<PipeWireCapture> {
  const opened = await Promise.allSettled(
    monitors.map(async ({ node, box }): Promise<Part> => {
      return { box, capture: await openPipeWireCapture({ node, whyEnded }, memory) };
    }),
  );
  const parts = opened.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const close = (): void => parts.forEach(({ capture }) => capture.close());
  const failed = opened.find((each) => each.status === 'rejected');
  if (failed) {
    close();
    throw failed.reason as Error;
  }
  return { ...combine(parts), fail: (why) => parts.forEach(({ capture }) => capture.fail(why)), close };
}

const combine = (
  parts: readonly Part[],
): Pick<PipeWireCapture, 'damage' | 'grab' | 'onDamage' | 'onCursor'> => ({
  damage: async () =>
    (
      await Promise.all(
        parts.map(async ({ box, capture }) =>
          (await capture.damage()).map((each) => ({ ...each, x: each.x + box.x, y: each.y + box.y })),
        ),
      )
    ).flat(),
  grab: async (boxes) =>
    (
      await Promise.all(
        parts.map(async ({ box: { x, y, ...size }, capture }) => {
          const wanted = boxes.flatMap((each) => intersect(each, { x, y, ...size }) ?? []);
          const pixels = await capture.grab(
            wanted.map((each) => ({ ...each, x: each.x - x, y: each.y - y })),
          );
          return pixels.map((each, index) => ({ ...each, box: wanted[index]! }));
        }),
      )
    ).flat(),
  onDamage: (listener) => parts.forEach(({ capture }) => capture.onDamage(listener)),
  onCursor: (listener) =>
    parts.forEach(({ box, capture }) =>
      capture.onCursor((cursor) => listener({ ...cursor, x: cursor.x + box.x, y: cursor.y + box.y })),
    ),
});
