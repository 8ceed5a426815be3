/** Encodes boxes as JPEG in other threads: for connections faster than the video encoder, and where video is not available. */
import type { Box, Tile } from '@drawbridge/contract/session/screen-frames';
import { loadJpeg, type Jpeg } from '../platform/native.ts';
import { splitBox } from './boxes.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Agent and operator process tiles of this size in parallel. */
const maxPixels = 512 * 1_024;

export type EncodeJpeg = (
  framebuffer: Framebuffer,
  boxes: readonly Box[],
  quality: number,
) => Promise<Tile[]>;

/** Returns undefined if the package does not support this platform. */
export async function loadJpegEncoder(): Promise<EncodeJpeg | undefined> {
  const jpeg = await loadJpeg();
  return jpeg && createJpegEncoder(jpeg);
}

/** The images of one call are valid until the next call, which writes into the same buffers. */
function createJpegEncoder(jpeg: Jpeg): EncodeJpeg {
  const buffers: Buffer[] = [];
  return (framebuffer, boxes, quality) =>
    Promise.all(
      boxes
        .flatMap((box) => splitBox(box, maxPixels))
        .map(async ({ x, y, width, height }, index) => {
          const pixels = framebuffer.bytes.subarray((y * framebuffer.width + x) * 4);
          const format = { format: jpeg.FORMAT_BGRX, width, height, stride: framebuffer.width };
          const options = { ...format, subsampling: jpeg.SAMP_420, quality };
          const bytes = jpeg.bufferSize(options);
          if (!(buffers[index] && buffers[index].length >= bytes))
            buffers[index] = Buffer.allocUnsafeSlow(bytes);
          return { x, y, image: await jpeg.compress(pixels, buffers[index], options) };
        }),
    );
}
