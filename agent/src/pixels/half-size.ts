/** Scales parts of the framebuffer to half their width and height, with libyuv or with slower code of our own. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findLibrary, loadKoffi, type Library } from '../platform/native.ts';
import type { Framebuffer } from './framebuffer.ts';
import { yuvNames } from './video/library-names.ts';
import { blockSize } from './lossy-blocks.ts';

/** The box in the picture of half size, extended to the blocks that a video encoder reads. */
export function halfBox({ x, y, width, height }: Box, half: Pick<Framebuffer, 'width' | 'height'>): Box {
  const [span, floor] = [2 * blockSize, (at: number): number => Math.floor(at / span) * blockSize];
  const [left, top] = [floor(x), floor(y)];
  const right = Math.min(half.width, floor(x + width + span - 1));
  const bottom = Math.min(half.height, floor(y + height + span - 1));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Writes a box of the half-size picture, which must have half the width and height of the framebuffer. */
export type ScaleToHalf = (framebuffer: Framebuffer, half: Framebuffer, box: Box) => void;

export async function loadHalfScaler(): Promise<ScaleToHalf> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, yuvNames());
  return library ? scaleWithLibrary(library) : scaleInScript;
}

/** The filter of libyuv with which each pixel is the mean of those that it replaces. */
const boxFilter = 3;

function scaleWithLibrary(library: Library): ScaleToHalf {
  const call = library.func(
    'int ARGBScale(void* from, int stride, int w, int h, void* to, int toStride, int toW, int toH, int filter)',
  );
  return (framebuffer, half, { x, y, width, height }) => {
    const from = framebuffer.bytes.subarray((2 * y * framebuffer.width + 2 * x) * 4);
    const to = half.bytes.subarray((y * half.width + x) * 4);
    call(from, framebuffer.width * 4, 2 * width, 2 * height, to, half.width * 4, width, height, boxFilter);
  };
}

export const scaleInScript: ScaleToHalf = (framebuffer, half, box) => {
  const { words, width: stride } = framebuffer;
  for (let y = box.y; y < box.y + box.height; y += 1) {
    let from = 2 * y * stride + 2 * box.x;
    const to = y * half.width + box.x;
    for (let at = to; at < to + box.width; at += 1, from += 2) {
      const upper = mean(words[from]!, words[from + 1]!);
      const lower = mean(words[from + stride]!, words[from + stride + 1]!);
      half.words[at] = mean(upper, lower);
    }
  }
};

/** The mean of all four bytes at once: what both have, and half of what one of them has. */
const mean = (a: number, b: number): number => (a & b) + (((a ^ b) & 0xfefefefe) >>> 1);
