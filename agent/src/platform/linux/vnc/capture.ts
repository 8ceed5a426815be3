/** The picture of a VNC server's screen: what changed since it was last asked for, and its pixels where they lie. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../screen/boxes.ts';
import type { Framebuffer } from '../../../screen/framebuffer.ts';
import type { Capture } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { watchCursor } from './cursor.ts';
import type { Line } from './line.ts';

/** A server that takes longer to show its screen has none. */
const updateTimeoutMs = 10_000;
/** More boxes than this become one. */
const maxBoxes = 256;

export async function openCapture(line: Line): Promise<Capture> {
  const framebuffer = await fetchFramebuffer(line);
  const listeners = new Set<() => void>();
  const stops: (() => void)[] = [];
  let changed: Box[] = [];
  const hear = (boxes: readonly Box[], of: Framebuffer): void => {
    if (of !== framebuffer) return;
    changed.push(...boxes);
    if (changed.length > maxBoxes) changed = [boundingBox(changed)];
    listeners.forEach((tell) => tell());
  };
  // Whoever asks then what changed is told why nothing will any more.
  const end = (): void => listeners.forEach((tell) => tell());
  line.events.on('update', hear).on('close', end);
  return {
    async damage() {
      if (!line.isOpen()) throw line.whyClosed();
      const taken = changed;
      changed = [];
      line.ask('changes');
      return taken;
    },
    async grab(boxes) {
      return boxes.map((box) => ({
        box: inside(framebuffer, box),
        words: framebuffer.words,
        offset: box.y * framebuffer.width + box.x,
        stride: framebuffer.width,
      }));
    },
    onDamage: (listener) => void listeners.add(listener),
    onCursor: (listener) => void stops.push(watchCursor(line, listener)),
    close() {
      line.events.off('update', hear).off('close', end);
      for (const stop of stops) stop();
      listeners.clear();
    },
  };
}

function inside({ width, height }: Framebuffer, box: Box): Box {
  if (box.x + box.width > width || box.y + box.height > height)
    throw new NotPossible('The screen of the device has another size now.');
  return box;
}

/** All of the screen as it is at this moment. */
export async function fetchFramebuffer(line: Line): Promise<Framebuffer> {
  const shown = Promise.withResolvers<Framebuffer>();
  const hear = (_: readonly Box[], framebuffer: Framebuffer): void => shown.resolve(framebuffer);
  const end = (): void => shown.reject(line.whyClosed());
  const limit = setTimeout(
    () => shown.reject(new NotPossible('The VNC server of the device does not show its screen.')),
    updateTimeoutMs,
  );
  line.events.once('update', hear).once('close', end);
  if (line.isOpen()) line.ask('whole');
  else end();
  try {
    return await shown.promise;
  } finally {
    clearTimeout(limit);
    line.events.off('update', hear).off('close', end);
  }
}
