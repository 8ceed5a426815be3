/** Converts RGB pixels to YUV for video (I420, ITU-R BT.601), with libyuv or with slower code of our own. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findLibrary, loadKoffi } from '../../platform/native.ts';
import type { Framebuffer } from '../framebuffer.ts';
import { yuvNames } from './library-names.ts';

/** The Y, U and V planes in one buffer. The chroma planes have half the width and height. Row lengths are multiples of 16. */
export interface YuvPlanes {
  bytes: Buffer;
  stride: number;
  /** Offsets of the two chroma planes. */
  cb: number;
  cr: number;
}

export function createYuvPlanes({ width, height }: { width: number; height: number }): YuvPlanes {
  const stride = Math.ceil(width / 16) * 16;
  const rows = Math.ceil(height / 16) * 16;
  const [lumaBytes, chromaBytes] = [stride * rows, (stride * rows) / 4];
  const bytes = Buffer.alloc(lumaBytes + 2 * chromaBytes);
  return { bytes, stride, cb: lumaBytes, cr: lumaBytes + chromaBytes };
}

/** Converts a box of the framebuffer into the planes. The box must start at even coordinates. */
export type ConvertToYuv = (framebuffer: Framebuffer, planes: YuvPlanes, box: Box) => void;

export async function loadYuvConverter(): Promise<ConvertToYuv> {
  const koffi = await loadKoffi();
  const library = koffi && findLibrary(koffi, yuvNames());
  return library ? convertWithLibrary(library) : convertInScript;
}

function convertWithLibrary(library: {
  func(definition: string): (...values: unknown[]) => unknown;
}): ConvertToYuv {
  const call = library.func(
    'int ARGBToI420(void* from, int stride, void* y, int ys, void* u, int us, void* v, int vs, int w, int h)',
  );
  return (framebuffer, { bytes, stride, cb, cr }, { x, y, width, height }) => {
    const chroma = ((y >> 1) * stride) / 2 + (x >> 1);
    call(
      framebuffer.bytes.subarray((y * framebuffer.width + x) * 4),
      framebuffer.width * 4,
      bytes.subarray(y * stride + x),
      stride,
      bytes.subarray(cb + chroma),
      stride / 2,
      bytes.subarray(cr + chroma),
      stride / 2,
      width,
      height,
    );
  };
}

/** Each pixel has its own luma value; each square of four pixels shares the chroma of its mean colour. */
export const convertInScript: ConvertToYuv = (framebuffer, { bytes, stride, cb, cr }, box) => {
  const { words, width: rowLength } = framebuffer;
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  for (let y = box.y; y < bottom; y += 1)
    for (let x = box.x; x < right; x += 1) {
      const pixel = words[y * rowLength + x]!;
      bytes[y * stride + x] =
        (66 * ((pixel >> 16) & 255) + 129 * ((pixel >> 8) & 255) + 25 * (pixel & 255) + 0x1080) >> 8;
    }
  for (let y = box.y; y < bottom; y += 2)
    for (let x = box.x; x < right; x += 2) {
      const [r, g, b] = meanOf(
        words,
        y * rowLength + x,
        x + 1 < right ? 1 : 0,
        y + 1 < bottom ? rowLength : 0,
      );
      const at = ((y >> 1) * stride) / 2 + (x >> 1);
      bytes[cb + at] = (112 * b - 74 * g - 38 * r + 0x8080) >> 8;
      bytes[cr + at] = (112 * r - 94 * g - 18 * b + 0x8080) >> 8;
    }
};

/** The mean colour of a square of four pixels; at an edge of the picture some of them coincide. */
function meanOf(words: Uint32Array, at: number, next: number, below: number): [number, number, number] {
  const four = [words[at]!, words[at + next]!, words[at + below]!, words[at + next + below]!];
  const mean = (shift: number): number =>
    (four.reduce((sum, pixel) => sum + ((pixel >> shift) & 255), 0) + 2) >> 2;
  return [mean(16), mean(8), mean(0)];
}
