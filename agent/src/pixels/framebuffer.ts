/** The framebuffer: an exact copy of the picture an operator watches, kept to find what changes and what moves. */
import type { Box, CopyRect } from '@drawbridge/contract/session/screen-frames';
import type { Pixels } from '../platform/desktop.ts';
import { boxArea } from './boxes.ts';

export interface Framebuffer {
  width: number;
  height: number;
  /** One 32-bit word for each pixel, row by row. */
  words: Uint32Array;
  /** The same memory as bytes. */
  bytes: Buffer;
}

export function createFramebuffer(width: number, height: number): Framebuffer {
  // One extra row, because encoders read boxes in whole rows, including the last one.
  const words = new Uint32Array(width * (height + 1));
  return { width, height, words, bytes: Buffer.from(words.buffer) };
}

/** Copies captured pixels into the framebuffer: whole rows at once, others row by row. Their box is relative to the picture. */
export function putPixels(framebuffer: Framebuffer, { box, words, offset, stride }: Pixels): void {
  if (box.width === framebuffer.width && box.width === stride) {
    framebuffer.words.set(words.subarray(offset, offset + boxArea(box)), box.y * stride);
    return;
  }
  for (let row = 0; row < box.height; row += 1) {
    const from = offset + row * stride;
    framebuffer.words.set(words.subarray(from, from + box.width), (box.y + row) * framebuffer.width + box.x);
  }
}

/** The captured pixels of a box inside the captured one. */
export const partOf = (pixels: Pixels, box: Box): Pixels => ({
  ...pixels,
  box,
  offset: pixels.offset + (box.y - pixels.box.y) * pixels.stride + box.x - pixels.box.x,
});

/** Copies content within the framebuffer, as the operator's page does with its own copy. */
export function copyRect({ words, width: stride }: Framebuffer, copy: CopyRect): void {
  const { x, y, width, height, toX, toY } = copy;
  for (let step = 0; step < height; step += 1) {
    // When content moves down, the last row is copied first, so that no row is overwritten before it is read.
    const row = toY > y ? height - 1 - step : step;
    const from = (y + row) * stride + x;
    words.copyWithin((toY + row) * stride + toX, from, from + width);
  }
}

export const boundsOf = ({ width, height }: Framebuffer): Box => ({ x: 0, y: 0, width, height });
