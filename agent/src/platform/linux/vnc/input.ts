/** Mouse and keyboard input through the VNC server of the device. */
import type { DesktopInput } from '../../desktop.ts';
import { createWheel } from '../wheel.ts';
import { movePointer } from './cursor.ts';
import { createVncKeyboard } from './vnc-keyboard.ts';
import type { VncConnection } from './connection.ts';
import { keyMessage, pointerMessage } from './messages.ts';

/** The VNC bits of our buttons: left, middle, right, back; there is none for forward. */
const bits = [1, 2, 4, 128];
const wheel = { up: 8, down: 16, left: 32, right: 64 } as const;

export function openInput(vnc: VncConnection): DesktopInput {
  const keys = createVncKeyboard((symbol, down) => vnc.send(keyMessage(symbol, down)));
  let held = 0;
  let isClosed = false;
  const sendPointer = (more = 0): void => vnc.send(pointerMessage(vnc.cursor.x, vnc.cursor.y, held | more));
  const turn = (bit: number): void => {
    sendPointer(bit);
    sendPointer();
  };
  const turnX = createWheel((isForward) => turn(isForward ? wheel.right : wheel.left));
  const turnY = createWheel((isForward) => turn(isForward ? wheel.down : wheel.up));
  const releaseAll = (): void => {
    keys.releaseAll();
    if (held === 0) return;
    held = 0;
    sendPointer();
  };
  return {
    pointer(x, y, buttons) {
      const { width, height } = vnc.framebuffer();
      movePointer(vnc, clamp(x, width), clamp(y, height));
      held = bits.reduce((sum, bit, index) => sum | ((buttons >> index) & 1 ? bit : 0), 0);
      sendPointer();
    },
    wheel(deltaX, deltaY) {
      turnX(deltaX);
      turnY(deltaY);
    },
    key: keys.key,
    text: keys.text,
    // There is no pending input to drop, because everything is sent at once.
    reset: releaseAll,
    close() {
      if (isClosed) return;
      isClosed = true;
      releaseAll();
    },
  };
}

const clamp = (position: number, size: number): number => Math.min(Math.max(position, 0), size - 1);
