/** Mouse and keyboard of the device, moved through its VNC server. */
import type { DesktopInput } from '../../desktop.ts';
import { createWheel } from '../wheel.ts';
import { movePointer } from './cursor.ts';
import { createVncKeyboard } from './vnc-keyboard.ts';
import type { VncConnection } from './connection.ts';
import { keyMessage, pointerMessage } from './messages.ts';

/** The server's bits for ours: left, middle, right, back; it has none for forward. */
const bits = [1, 2, 4, 128];
const wheel = { up: 8, down: 16, left: 32, right: 64 } as const;

export function openInput(vnc: VncConnection): DesktopInput {
  const keys = createVncKeyboard((symbol, down) => vnc.send(keyMessage(symbol, down)));
  let held = 0;
  let isClosed = false;
  const point = (more = 0): void => vnc.send(pointerMessage(vnc.cursor.x, vnc.cursor.y, held | more));
  const turn = (bit: number): void => {
    point(bit);
    point();
  };
  const turnX = createWheel((forth) => turn(forth ? wheel.right : wheel.left));
  const turnY = createWheel((forth) => turn(forth ? wheel.down : wheel.up));
  const releaseAll = (): void => {
    keys.releaseAll();
    if (held === 0) return;
    held = 0;
    point();
  };
  return {
    pointer(x, y, buttons) {
      const { width, height } = vnc.framebuffer();
      movePointer(vnc, clamp(x, width), clamp(y, height));
      held = bits.reduce((sum, bit, index) => sum | ((buttons >> index) & 1 ? bit : 0), 0);
      point();
    },
    wheel(deltaX, deltaY) {
      turnX(deltaX);
      turnY(deltaY);
    },
    key: keys.key,
    text: keys.text,
    // What is asked for is done at once: nothing waits here.
    reset: releaseAll,
    close() {
      if (isClosed) return;
      isClosed = true;
      releaseAll();
    },
  };
}

const clamp = (place: number, size: number): number => Math.min(Math.max(place, 0), size - 1);
