/** Mouse and keyboard of the device, moved through its VNC server. */
import type { DesktopInput } from '../../desktop.ts';
import { createWheel } from '../wheel.ts';
import { movePointer } from './cursor.ts';
import { createKeys } from './keys.ts';
import type { Line } from './line.ts';
import { keyMessage, pointerMessage } from './messages.ts';

/** The server's bits for ours: left, middle, right, back; it has none for forward. */
const bits = [1, 2, 4, 128];
const wheel = { up: 8, down: 16, left: 32, right: 64 } as const;

export function openInput(line: Line): DesktopInput {
  const keys = createKeys((symbol, down) => line.send(keyMessage(symbol, down)));
  let held = 0;
  let isClosed = false;
  const point = (more = 0): void => line.send(pointerMessage(line.cursor.x, line.cursor.y, held | more));
  const turn = (bit: number): void => {
    point(bit);
    point();
  };
  const turnX = createWheel((forth) => turn(forth ? wheel.right : wheel.left));
  const turnY = createWheel((forth) => turn(forth ? wheel.down : wheel.up));
  const letGo = (): void => {
    keys.letGo();
    if (held === 0) return;
    held = 0;
    point();
  };
  return {
    pointer(x, y, buttons) {
      const { width, height } = line.framebuffer();
      movePointer(line, within(x, width), within(y, height));
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
    reset: letGo,
    close() {
      if (isClosed) return;
      isClosed = true;
      letGo();
    },
  };
}

const within = (place: number, size: number): number => Math.min(Math.max(place, 0), size - 1);
