/** Encodes boxes as JPEG in other threads: for connections faster than the video encoder, and where video is not available. */
import type { Box, Tile } from '@drawbridge/contract/session/screen-frames';
import { loadJpeg } from '../platform/native.ts';
import { splitBox } from './boxes.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Agent and operator process tiles of this size in parallel. */
const maxPixels = 256 * 1_024;

export type EncodeJpeg = (
  framebuffer: Framebuffer,
  boxes: readonly Box[],
  quality: number,
) => Promise<Tile[]>;

/** Returns undefined if the package does not support this platform. */
export async function loadJpegEncoder(): Promise<EncodeJpeg | undefined> {
  const jpeg = await loadJpeg();
  if (!jpeg) return undefined;
  return (framebuffer, boxes, quality) =>
    Promise.all(
      boxes
        .flatMap((box) => splitBox(box, maxPixels))
        .map(async ({ x, y, width, height }) => ({
          x,
          y,
          image: await jpeg.compress(framebuffer.bytes.subarray((y * framebuffer.width + x) * 4), {
            format: jpeg.FORMAT_BGRX,
            width,
            height,
            stride: framebuffer.width,
            subsampling: jpeg.SAMP_420,
            quality,
          }),
        })),
    );
}
