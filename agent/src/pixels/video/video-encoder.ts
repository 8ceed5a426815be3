/** What the two video encoders have in common. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Framebuffer } from '../framebuffer.ts';
import { blockSize } from '../lossy-blocks.ts';

export interface VideoSettings {
  /** In kbit/s. */
  bitrate: number;
  /** The range of quantizers on the scale of VP8, 0 (finest) to 63. */
  minQuantizer: number;
  maxQuantizer: number;
}

export interface VideoEncoder {
  /** Encodes the blocks that the boxes touch, or the whole picture as a key frame. */
  encode(boxes: readonly Box[], isKey: boolean, now: number): Promise<Buffer | undefined>;
  tune(settings: VideoSettings): void;
  close(): void;
}

export interface VideoCodec {
  name: 'vp8' | 'h264';
  /** At full size a frame should take no longer than this to encode. It leaves time to decode it, which takes longer for VP8. */
  slowMs: number;
  /** `isFast`: quality is traded for speed where the codec can do so. */
  createEncoder(framebuffer: Framebuffer, isFast: boolean): VideoEncoder;
}

/** Returns the box of all blocks that this box touches. */
export function alignToBlocks(
  { x, y, width, height }: Box,
  framebuffer: Pick<Framebuffer, 'width' | 'height'>,
): Box {
  const [left, top] = [Math.floor(x / blockSize) * blockSize, Math.floor(y / blockSize) * blockSize];
  const right = Math.min(framebuffer.width, Math.ceil((x + width) / blockSize) * blockSize);
  const bottom = Math.min(framebuffer.height, Math.ceil((y + height) / blockSize) * blockSize);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
