/** Captures the screen of a wlroots compositor: it reports what changed, and writes the pixels into shared memory. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../../pixels/boxes.ts';
import type { Capture } from '../../../desktop.ts';
import { NotPossible } from '../../../platform.ts';
import type { CompositorContext } from '../compositor/context.ts';
import { kinds } from '../compositor/protocol.ts';
import { createScreenMirror, type ScreenMirror } from './screen-mirror.ts';

/** More boxes than this are merged into one. */
const maxBoxes = 256;

/** Returns a function that opens captures, which share one copy of the screen as long as its layout stays. */
export function createCaptures(context: CompositorContext): () => Promise<Capture> {
  const screencopy = context.bind(kinds.screencopy, 3)!;
  let current: Promise<ScreenMirror> | undefined;
  let users = 0;
  const forget = (): void => {
    users -= 1;
    if (users === 0) current = undefined;
  };
  return async () => {
    if ((await current?.catch(() => undefined))?.version !== context.outputs.version()) {
      current = undefined;
      users = 0;
    }
    const own = (current ??= createScreenMirror(context, screencopy));
    users += 1;
    const mirror = await own.catch((error: unknown) => {
      current = undefined;
      users = 0;
      throw error;
    });
    return openCapture(context, mirror, () => void (current === own && forget()));
  };
}

function openCapture({ connection }: CompositorContext, mirror: ScreenMirror, onClose: () => void): Capture {
  const listeners = new Set<() => void>();
  let [changed, isOpen]: [Box[], boolean] = [[], true];
  const notify = (): void => listeners.forEach((listener) => listener());
  const unsubscribe = mirror.subscribe((boxes) => {
    changed.push(...boxes);
    if (changed.length > maxBoxes) changed = [boundingBox(changed)];
    notify();
  });
  // The next call of `damage` then throws the reason.
  connection.onClose(notify);
  return {
    async damage() {
      const whyClosed = connection.whyClosed();
      if (whyClosed !== undefined) throw new NotPossible(whyClosed);
      const taken = changed;
      changed = [];
      mirror.request();
      return taken;
    },
    async grab(boxes) {
      if (!isOpen) throw new NotPossible('The picture is no longer watched.');
      return mirror.grab(boxes);
    },
    onDamage: (listener) => void listeners.add(listener),
    // The compositor draws the cursor into the picture, because this protocol does not report its shape.
    onCursor: () => {},
    close() {
      if (!isOpen) return;
      isOpen = false;
      listeners.clear();
      unsubscribe();
      onClose();
    },
  };
}
