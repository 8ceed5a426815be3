/** Brightness and colour apart, as video has them (I420, by ITU-R BT.601): by the system's libyuv, or slower by ourselves. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findLibrary, loadKoffi } from '../platform/native.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Three planes one after another; the two of colour have half the size each way. Their lines are a multiple of 16 long. */
export interface YuvPlanes {
  bytes: Buffer;
  stride: number;
  /** Where the planes of colour begin. */
  cb: number;
  cr: number;
}

export function createYuvPlanes({ width, height }: { width: number; height: number }): YuvPlanes {
  const stride = Math.ceil(width / 16) * 16;
  const lines = Math.ceil(height / 16) * 16;
  const [brightness, colour] = [stride * lines, (stride * lines) / 4];
  const bytes = Buffer.alloc(brightness + 2 * colour);
  return { bytes, stride, cb: brightness, cr: brightness + colour };
}

/** Brings a box of the picture, which begins at even numbers, into the planes. */
export type ConvertToYuv = (framebuffer: Framebuffer, planes: YuvPlanes, box: Box) => void;

export async function loadYuvConverter(): Promise<ConvertToYuv> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, ['libyuv.so.0', 'libyuv.so']);
  return library ? convertWithLibrary(library) : convertInScript;
}

function convertWithLibrary(library: {
  func(definition: string): (...values: unknown[]) => unknown;
}): ConvertToYuv {
  const call = library.func(
    'int ARGBToI420(void* from, int stride, void* y, int ys, void* u, int us, void* v, int vs, int w, int h)',
  );
  return (framebuffer, { bytes, stride, cb, cr }, { x, y, width, height }) => {
    const colour = ((y >> 1) * stride) / 2 + (x >> 1);
    call(
      framebuffer.bytes.subarray((y * framebuffer.width + x) * 4),
      framebuffer.width * 4,
      bytes.subarray(y * stride + x),
      stride,
      bytes.subarray(cb + colour),
      stride / 2,
      bytes.subarray(cr + colour),
      stride / 2,
      width,
      height,
    );
  };
}

/** Each four pixels have a brightness each and their mean colour together. */
export const convertInScript: ConvertToYuv = (framebuffer, { bytes, stride, cb, cr }, box) => {
  const { words, width: line } = framebuffer;
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  for (let y = box.y; y < bottom; y += 1)
    for (let x = box.x; x < right; x += 1) {
      const pixel = words[y * line + x]!;
      bytes[y * stride + x] =
        (66 * ((pixel >> 16) & 255) + 129 * ((pixel >> 8) & 255) + 25 * (pixel & 255) + 0x1080) >> 8;
    }
  for (let y = box.y; y < bottom; y += 2)
    for (let x = box.x; x < right; x += 2) {
      const [r, g, b] = meanOf(words, y * line + x, x + 1 < right ? 1 : 0, y + 1 < bottom ? line : 0);
      const at = ((y >> 1) * stride) / 2 + (x >> 1);
      bytes[cb + at] = (112 * b - 74 * g - 38 * r + 0x8080) >> 8;
      bytes[cr + at] = (112 * r - 94 * g - 18 * b + 0x8080) >> 8;
    }
};

/** Of four pixels; at an edge of the picture some of them are the same. */
function meanOf(words: Uint32Array, at: number, next: number, below: number): [number, number, number] {
  const four = [words[at]!, words[at + next]!, words[at + below]!, words[at + next + below]!];
  const mean = (shift: number): number =>
    (four.reduce((sum, pixel) => sum + ((pixel >> shift) & 255), 0) + 2) >> 2;
  return [mean(16), mean(8), mean(0)];
}
