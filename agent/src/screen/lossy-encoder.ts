/** Encodes large changes lossily: as video or as JPEG, whichever suits the connection. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { polishProfile, type QualityProfile } from './quality-profiles.ts';
import { loadJpegEncoder } from '../pixels/jpeg.ts';
import type { RateController } from './rate-controller.ts';
import type { Encoded } from './encoded-frame.ts';
import type { Framebuffer } from '../pixels/framebuffer.ts';
import { alignToBlocks, createVideoEncoder, loadVpx, type VideoEncoder } from '../pixels/vpx.ts';
import { createCodecSelector } from './codec-selector.ts';

export interface LossyEncoder {
  /** What the layout tells of it. */
  codec: 'vp8' | 'tiles';
  /** Undefined where nothing came of it: the boxes are to be sent otherwise. */
  encode(boxes: readonly Box[], profile: QualityProfile, now: number): Promise<Encoded | undefined>;
  /** Once more and much finer; undefined where the codec is not video. */
  polish(boxes: readonly Box[], now: number): Promise<Encoded | undefined>;
  /** From here on the operator knows nothing of what came before. */
  restart(): void;
  close(): void;
}

export async function createLossyEncoder(
  framebuffer: Framebuffer,
  { rateController, video, clock }: { rateController: RateController; video: boolean; clock: () => number },
): Promise<LossyEncoder> {
  const vpx = video ? await loadVpx() : undefined;
  const jpeg = await loadJpegEncoder();
  const selector = createCodecSelector(rateController, {
    video: vpx !== undefined,
    jpeg: jpeg !== undefined,
  });
  let encoder: VideoEncoder | undefined;
  let needsKey = true;

  const byVideo = async (
    boxes: readonly Box[],
    tuned: Parameters<VideoEncoder['tune']>[0],
    now: number,
  ): Promise<Encoded | undefined> => {
    if (!vpx) return undefined;
    encoder ??= createVideoEncoder(vpx, framebuffer);
    encoder.tune(tuned);
    const key = needsKey;
    const data = await encoder.encode(boxes, key, now);
    if (!data) return undefined;
    needsKey = false;
    return {
      copies: [],
      tiles: [],
      video: { key, boxes: boxes.map((box) => alignToBlocks(box, framebuffer)), data },
    };
  };

  return {
    codec: vpx ? 'vp8' : 'tiles',
    async encode(boxes, profile, now) {
      const begun = clock();
      const tuned = { ...profile, bitrate: Math.min(rateController.bitrate(), profile.bitrate) };
      const quality = Math.min(rateController.quality(), profile.quality);
      const encoded =
        selector.codec() === 'video'
          ? await byVideo(boxes, tuned, now)
          : jpeg && { copies: [], tiles: await jpeg(framebuffer, boxes, quality) };
      selector.encoded(clock() - begun, clock());
      return encoded;
    },
    polish: async (boxes, now) =>
      selector.codec() === 'video' ? byVideo(boxes, polishProfile, now) : undefined,
    restart: () => void (needsKey = true),
    close: () => encoder?.close(),
  };
}
