/** Copies pixels of a monitor as the compositor delivers them into the picture as the person sees it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';

/** Where one axis of the picture leads in the delivered pixels. */
export interface Orientation {
  /** The index of the delivered pixel for the top left of the picture, and the steps to the right and down. */
  start: number;
  right: number;
  down: number;
}

interface DeliveredFrame {
  /** The size as delivered, and the distance from row to row. */
  width: number;
  height: number;
  stride: number;
  transform: number;
  /** The first row is the bottom of the monitor. */
  isInverted: boolean;
}

/** For the rotations of the protocol: counter-clockwise quarter turns, after a mirror image from 4 on. */
export function orientationOf({ width, height, stride, transform, isInverted }: DeliveredFrame): Orientation {
  const corner = (x: number, y: number): number => y * stride + x;
  const [lastX, lastY] = [width - 1, height - 1];
  const turned: Record<number, Orientation> = {
    0: { start: 0, right: 1, down: stride },
    1: { start: corner(0, lastY), right: -stride, down: 1 },
    2: { start: corner(lastX, lastY), right: -1, down: -stride },
    3: { start: corner(lastX, 0), right: stride, down: -1 },
    4: { start: corner(lastX, 0), right: -1, down: stride },
    5: { start: 0, right: stride, down: 1 },
    6: { start: corner(0, lastY), right: 1, down: -stride },
    7: { start: corner(lastX, lastY), right: -stride, down: -1 },
  };
  const { start, right, down } = turned[transform] ?? turned[0]!;
  if (!isInverted) return { start, right, down };
  const flip = (step: number): number => (Math.abs(step) === stride && stride > 1 ? -step : step);
  return {
    start: corner(start % stride, lastY - Math.floor(start / stride)),
    right: flip(right),
    down: flip(down),
  };
}

/** The box of the picture that a box of the delivered pixels becomes. */
export function uprightBox(box: Box, { start, right, down }: Orientation, stride: number): Box {
  const dx = box.x - (start % stride);
  const dy = box.y - Math.floor(start / stride);
  const along = (step: number): number => {
    const isColumn = Math.abs(step) === 1;
    const [from, length] = isColumn ? [dx, box.width] : [dy, box.height];
    return step > 0 ? from : -from - length + 1;
  };
  const isTurned = Math.abs(right) !== 1;
  return {
    x: along(right),
    y: along(down),
    width: isTurned ? box.height : box.width,
    height: isTurned ? box.width : box.height,
  };
}

interface UprightCopy {
  words: Uint32Array;
  /** Where the delivered pixels and the picture start. */
  from: number;
  to: number;
  orientation: Orientation;
  /** The width of the picture. */
  stride: number;
  /** Red comes first in the delivered pixels. */
  isRedFirst: boolean;
}

export function copyUpright(copy: UprightCopy, { x, y, width, height }: Box): void {
  const { words, from, to, orientation, stride, isRedFirst } = copy;
  for (let row = y; row < y + height; row += 1) {
    let source = from + orientation.start + row * orientation.down + x * orientation.right;
    let target = to + row * stride + x;
    for (let left = width; left > 0; left -= 1) {
      const word = words[source]!;
      words[target] = isRedFirst ? swapRedAndBlue(word) : word;
      source += orientation.right;
      target += 1;
    }
  }
}

const swapRedAndBlue = (word: number): number =>
  (word & 0xff00_ff00) | ((word & 0xff) << 16) | ((word >> 16) & 0xff);
