/** A copy of all monitors in shared memory, which the compositor updates when something changes and somebody waits for it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { intersect } from '../../../../pixels/boxes.ts';
import type { Pixels } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { CompositorContext } from '../compositor/context.ts';
import { createOutputCopy, type OutputCopy } from './output-copy.ts';

export interface ScreenMirror {
  version: number;
  /** Lets the compositor write the next changes. */
  request(): void;
  grab(boxes: readonly Box[]): Pixels[];
  /** Receives the boxes that have changed; the returned function unsubscribes, and frees the memory after the last. */
  subscribe(listener: (boxes: readonly Box[]) => void): () => void;
}

export async function createScreenMirror(
  context: CompositorContext,
  screencopy: number,
): Promise<ScreenMirror> {
  const listeners = new Set<(boxes: readonly Box[]) => void>();
  const changed = (boxes: readonly Box[]): void => listeners.forEach((listener) => listener(boxes));
  const version = context.outputs.version();
  const shown = context.outputs.list();
  if (shown.length === 0) throw new NotPossible('No monitor of the device is switched on.');
  const copies: OutputCopy[] = shown.map((output) =>
    createOutputCopy({ context, screencopy, output, changed }),
  );
  const close = (): void => copies.forEach((copy) => copy.close());
  try {
    await Promise.all(copies.map((copy) => copy.first));
  } catch (error) {
    close();
    throw error;
  }
  return {
    version,
    request: () => copies.forEach((copy) => copy.request()),
    grab: (boxes) =>
      copies.flatMap((copy) =>
        boxes.flatMap((box) => {
          const part = intersect(box, copy.box);
          return part ? copy.pixels(part) : [];
        }),
      ),
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) close();
      };
    },
  };
}
