/** The picture of a VNC server's screen: what changed since it was last asked for, and its pixels where they lie. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../pixels/boxes.ts';
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import type { Capture } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { watchCursor } from './cursor.ts';
import type { VncConnection } from './connection.ts';

/** A server that takes longer to show its screen has none. */
const updateTimeoutMs = 10_000;
/** More boxes than this become one. */
const maxBoxes = 256;

export async function openCapture(vnc: VncConnection): Promise<Capture> {
  const framebuffer = await fetchFramebuffer(vnc);
  const listeners = new Set<() => void>();
  const stops: (() => void)[] = [];
  let changed: Box[] = [];
  const onUpdate = (boxes: readonly Box[], of: Framebuffer): void => {
    if (of !== framebuffer) return;
    changed.push(...boxes);
    if (changed.length > maxBoxes) changed = [boundingBox(changed)];
    listeners.forEach((tell) => tell());
  };
  // Whoever asks then what changed is told why nothing will any more.
  const end = (): void => listeners.forEach((tell) => tell());
  vnc.events.on('update', onUpdate).on('close', end);
  return {
    async damage() {
      if (!vnc.isOpen()) throw vnc.whyClosed();
      const taken = changed;
      changed = [];
      vnc.request('changes');
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
    onCursor: (listener) => void stops.push(watchCursor(vnc, listener)),
    close() {
      vnc.events.off('update', onUpdate).off('close', end);
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
export async function fetchFramebuffer(vnc: VncConnection): Promise<Framebuffer> {
  const shown = Promise.withResolvers<Framebuffer>();
  const onUpdate = (_: readonly Box[], framebuffer: Framebuffer): void => shown.resolve(framebuffer);
  const end = (): void => shown.reject(vnc.whyClosed());
  const limit = setTimeout(
    () => shown.reject(new NotPossible('The VNC server of the device does not show its screen.')),
    updateTimeoutMs,
  );
  vnc.events.once('update', onUpdate).once('close', end);
  if (vnc.isOpen()) vnc.request('whole');
  else end();
  try {
    return await shown.promise;
  } finally {
    clearTimeout(limit);
    vnc.events.off('update', onUpdate).off('close', end);
  }
}
