/** Captures the screen of a VNC server: what changed since the last call, and pixels without copying them. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../pixels/boxes.ts';
import type { Framebuffer } from '../../../pixels/framebuffer.ts';
import type { Capture } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import { watchCursor } from './cursor.ts';
import type { VncConnection } from './connection.ts';

/** How long a server may take to send its screen. */
const updateTimeoutMs = 10_000;
/** More boxes than this are merged into one. */
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
    listeners.forEach((listener) => listener());
  };
  // Wakes the listeners, whose next call of `damage` then throws the reason.
  const onClose = (): void => listeners.forEach((listener) => listener());
  vnc.events.on('update', onUpdate).on('close', onClose);
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
        box: requireInside(framebuffer, box),
        words: framebuffer.words,
        offset: box.y * framebuffer.width + box.x,
        stride: framebuffer.width,
      }));
    },
    onDamage: (listener) => void listeners.add(listener),
    onCursor: (listener) => void stops.push(watchCursor(vnc, listener)),
    close() {
      vnc.events.off('update', onUpdate).off('close', onClose);
      for (const stop of stops) stop();
      listeners.clear();
    },
  };
}

function requireInside({ width, height }: Framebuffer, box: Box): Box {
  if (box.x + box.width > width || box.y + box.height > height)
    throw new NotPossible('The screen of the device has another size now.');
  return box;
}

/** Requests the whole screen. */
export async function fetchFramebuffer(vnc: VncConnection): Promise<Framebuffer> {
  const received = Promise.withResolvers<Framebuffer>();
  const onUpdate = (_: readonly Box[], framebuffer: Framebuffer): void => received.resolve(framebuffer);
  const onClose = (): void => received.reject(vnc.whyClosed());
  const timeout = setTimeout(
    () => received.reject(new NotPossible('The VNC server of the device does not show its screen.')),
    updateTimeoutMs,
  );
  vnc.events.once('update', onUpdate).once('close', onClose);
  if (vnc.isOpen()) vnc.request('whole');
  else onClose();
  try {
    return await received.promise;
  } finally {
    clearTimeout(timeout);
    vnc.events.off('update', onUpdate).off('close', onClose);
  }
}
