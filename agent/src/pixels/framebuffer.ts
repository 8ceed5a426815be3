/** The picture as it truly is: every pixel of what an operator watches, kept to find what changes and what moved. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';

export interface Framebuffer {
  width: number;
  height: number;
  /** One pixel each, line by line. */
  words: Uint32Array;
  /** The same memory as bytes. */
  bytes: Buffer;
}

export function createFramebuffer(width: number, height: number): Framebuffer {
  // A line more than there are: encoders read boxes as whole lines, the last one too.
  const words = new Uint32Array(width * (height + 1));
  return { width, height, words, bytes: Buffer.from(words.buffer) };
}

/** Takes over the pixels of a box; its place is that in the picture. */
export function putPixels(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): void {
  for (let row = 0; row < box.height; row += 1) {
    const from = offset + row * stride;
    framebuffer.words.set(words.subarray(from, from + box.width), (box.y + row) * framebuffer.width + box.x);
  }
}

/** Moves content inside the picture, as the operator's side does with its own. */
export function copyRect({ words, width: stride }: Framebuffer, copy: CopyRect): void {
  const { x, y, width, height, toX, toY } = copy;
  for (let step = 0; step < height; step += 1) {
    // From the end it moves towards, so that nothing is written over before it was read.
    const row = toY > y ? height - 1 - step : step;
    const from = (y + row) * stride + x;
    words.copyWithin((toY + row) * stride + toX, from, from + width);
  }
}

export const boundsOf = ({ width, height }: Framebuffer): Box => ({ x: 0, y: 0, width, height });
