/** Encodes large changes lossily: as video or as JPEG, whichever suits the connection. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { polishProfile, type QualityProfile } from './quality-profiles.ts';
import { loadJpegEncoder, type EncodeJpeg } from '../pixels/jpeg.ts';
import type { RateController } from './rate-controller.ts';
import type { Encoded } from './encoded-frame.ts';
import { boundsOf, createFramebuffer, type Framebuffer } from '../pixels/framebuffer.ts';
import { halfBox, loadHalfScaler, type ScaleToHalf } from '../pixels/half-size.ts';
import { alignToBlocks, createVideoEncoder, encoderSpeeds, type VideoEncoder } from '../pixels/vpx.ts';
import { loadVpx, type Vpx } from '../pixels/vpx-library.ts';
import { createCodecSelector, type CodecSelector } from './codec-selector.ts';

export interface LossyEncoder {
  /** The codec that the layout message names. */
  codec: 'vp8' | 'tiles';
  /** Undefined if the codec produced nothing; the caller then sends the boxes exactly. */
  encode(boxes: readonly Box[], profile: QualityProfile, now: number): Promise<Encoded | undefined>;
  /** Whether frames of a film are better and can be encoded at half size. */
  prefersHalf(profile: QualityProfile): boolean;
  /** Encodes the boxes as video of half size. Undefined as for `encode`. */
  encodeHalf(boxes: readonly Box[], profile: QualityProfile, now: number): Promise<Encoded | undefined>;
  /** Encodes the boxes again at a much higher quality; undefined unless the codec is video. */
  polish(boxes: readonly Box[], now: number): Promise<Encoded | undefined>;
  /** Makes the next video frame a key frame, because the operator has lost the frames before it. */
  restart(): void;
  close(): void;
}

/** The highest bitrate at half size, in kbit/s. It keeps a film below 700 kB/s. */
const maxHalfBitrate = 4_000;

interface State {
  framebuffer: Framebuffer;
  rateController: RateController;
  clock: () => number;
  vpx: Vpx | undefined;
  scaleToHalf: ScaleToHalf;
  jpeg: EncodeJpeg | undefined;
  selector: CodecSelector;
  /** Created with the first video frame of their size. */
  encoder: VideoEncoder | undefined;
  half: { framebuffer: Framebuffer; encoder: VideoEncoder } | undefined;
  /** The size of the last video frame. Undefined if the next one must be a key frame. */
  lastSize: 'full' | 'half' | undefined;
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
    scaleToHalf: await loadHalfScaler(),
    jpeg,
    selector,
    encoder: undefined,
    half: undefined,
    lastSize: undefined,
  };
  return {
    codec: vpx ? 'vp8' : 'tiles',
    encode: (boxes, profile, now) => encode(state, boxes, profile, now),
    prefersHalf: ({ half }) =>
      vpx !== undefined &&
      hasEvenSides(framebuffer) &&
      (half === 'always' || (half === 'if_slow' && selector.isVideoSlow())),
    encodeHalf: (boxes, profile, now) => encodeHalf(state, boxes, profile, now),
    polish: async (boxes, now) =>
      selector.codec() === 'video' ? encodeVideo(state, boxes, polishProfile, now) : undefined,
    restart: () => void (state.lastSize = undefined),
    close() {
      state.encoder?.close();
      state.half?.encoder.close();
    },
  };
}

const hasEvenSides = ({ width, height }: Framebuffer): boolean => width % 2 === 0 && height % 2 === 0;

async function encode(
  state: State,
  boxes: readonly Box[],
  profile: QualityProfile,
  now: number,
): Promise<Encoded | undefined> {
  const { framebuffer, rateController, clock, jpeg, selector } = state;
  const startedAt = clock();
  const quality = Math.min(rateController.quality(), profile.quality);
  const encoded =
    selector.codec() === 'video'
      ? await encodeVideo(state, boxes, tuned(state, profile), now)
      : jpeg && { copies: [], tiles: await jpeg(framebuffer, boxes, quality) };
  selector.encoded(clock() - startedAt, clock());
  return encoded;
}

const tuned = ({ rateController }: State, profile: QualityProfile): QualityProfile => ({
  ...profile,
  bitrate: Math.min(rateController.bitrate(), profile.bitrate),
});

async function encodeVideo(
  state: State,
  boxes: readonly Box[],
  settings: Parameters<VideoEncoder['tune']>[0],
  now: number,
): Promise<Encoded | undefined> {
  const { vpx, framebuffer } = state;
  if (!vpx) return undefined;
  state.encoder ??= createVideoEncoder(vpx, framebuffer);
  state.encoder.tune(settings);
  const key = state.lastSize !== 'full';
  const data = await state.encoder.encode(boxes, key, now);
  if (!data) return undefined;
  state.lastSize = 'full';
  return {
    copies: [],
    tiles: [],
    video: { key, boxes: boxes.map((box) => alignToBlocks(box, framebuffer)), data },
  };
}

/** The operator decodes one stream, so the first frame of each size is a key frame. */
async function encodeHalf(
  state: State,
  boxes: readonly Box[],
  profile: QualityProfile,
  now: number,
): Promise<Encoded | undefined> {
  const { vpx, framebuffer, scaleToHalf } = state;
  if (!vpx) return undefined;
  const { framebuffer: half, encoder } = (state.half ??= createHalf(vpx, framebuffer));
  const key = state.lastSize !== 'half';
  const halfBoxes = boxes.map((box) => halfBox(box, half));
  for (const box of key ? [boundsOf(half)] : halfBoxes) scaleToHalf(framebuffer, half, box);
  const { bitrate, ...rest } = tuned(state, profile);
  encoder.tune({ ...rest, bitrate: Math.min(bitrate, maxHalfBitrate) });
  const data = await encoder.encode(halfBoxes, key, now);
  if (!data) return undefined;
  state.lastSize = 'half';
  return { copies: [], tiles: [], video: { key, boxes, half: true, data } };
}

function createHalf(vpx: Vpx, { width, height }: Framebuffer): NonNullable<State['half']> {
  const framebuffer = createFramebuffer(width / 2, height / 2);
  return { framebuffer, encoder: createVideoEncoder(vpx, framebuffer, encoderSpeeds.fastest) };
}
