/** Encodes large changes lossily: as video or as JPEG, whichever suits the connection. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { polishProfile, type QualityProfile } from './quality-profiles.ts';
import { loadJpegEncoder, type EncodeJpeg } from '../pixels/jpeg.ts';
import type { RateController } from './rate-controller.ts';
import type { Encoded } from './encoded-frame.ts';
import type { Framebuffer } from '../pixels/framebuffer.ts';
import { alignToBlocks, createVideoEncoder, type VideoEncoder } from '../pixels/vpx.ts';
import { loadVpx, type Vpx } from '../pixels/vpx-library.ts';
import { createCodecSelector, type CodecSelector } from './codec-selector.ts';

export interface LossyEncoder {
  /** The codec that the layout message names. */
  codec: 'vp8' | 'tiles';
  /** Undefined if the codec produced nothing; the caller then sends the boxes exactly. */
  encode(boxes: readonly Box[], profile: QualityProfile, now: number): Promise<Encoded | undefined>;
  /** Encodes the boxes again at a much higher quality; undefined unless the codec is video. */
  polish(boxes: readonly Box[], now: number): Promise<Encoded | undefined>;
  /** Makes the next video frame a key frame, because the operator has lost the frames before it. */
  restart(): void;
  close(): void;
}

interface State {
  framebuffer: Framebuffer;
  rateController: RateController;
  clock: () => number;
  vpx: Vpx | undefined;
  jpeg: EncodeJpeg | undefined;
  selector: CodecSelector;
  /** Created with the first video frame. */
  encoder: VideoEncoder | undefined;
  needsKey: boolean;
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
  const state: State = {
    framebuffer,
    rateController,
    clock,
    vpx,
    jpeg,
    selector,
    encoder: undefined,
    needsKey: true,
  };
  return {
    codec: vpx ? 'vp8' : 'tiles',
    encode: (boxes, profile, now) => encode(state, boxes, profile, now),
    polish: async (boxes, now) =>
      selector.codec() === 'video' ? encodeVideo(state, boxes, polishProfile, now) : undefined,
    restart: () => void (state.needsKey = true),
    close: () => state.encoder?.close(),
  };
}

async function encode(
  state: State,
  boxes: readonly Box[],
  profile: QualityProfile,
  now: number,
): Promise<Encoded | undefined> {
  const { framebuffer, rateController, clock, jpeg, selector } = state;
  const startedAt = clock();
  const tuned = { ...profile, bitrate: Math.min(rateController.bitrate(), profile.bitrate) };
  const quality = Math.min(rateController.quality(), profile.quality);
  const encoded =
    selector.codec() === 'video'
      ? await encodeVideo(state, boxes, tuned, now)
      : jpeg && { copies: [], tiles: await jpeg(framebuffer, boxes, quality) };
  selector.encoded(clock() - startedAt, clock());
  return encoded;
}

async function encodeVideo(
  state: State,
  boxes: readonly Box[],
  tuned: Parameters<VideoEncoder['tune']>[0],
  now: number,
): Promise<Encoded | undefined> {
  const { vpx, framebuffer } = state;
  if (!vpx) return undefined;
  state.encoder ??= createVideoEncoder(vpx, framebuffer);
  state.encoder.tune(tuned);
  const key = state.needsKey;
  const data = await state.encoder.encode(boxes, key, now);
  if (!data) return undefined;
  state.needsKey = false;
  return {
    copies: [],
    tiles: [],
    video: { key, boxes: boxes.map((box) => alignToBlocks(box, framebuffer)), data },
  };
}
