/** Encodes large changes lossily: as video or as JPEG, whichever suits the connection. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { polishProfile, type QualityProfile } from './quality-profiles.ts';
import { loadJpegEncoder, type EncodeJpeg } from '../pixels/jpeg.ts';
import type { RateController } from './rate-controller.ts';
import type { Encoded } from './encoded-frame.ts';
import type { Framebuffer } from '../pixels/framebuffer.ts';
import type { VideoCodec } from '../pixels/video/video-encoder.ts';
import { loadVp8Codec } from '../pixels/video/vpx.ts';
import { loadH264Codec } from '../pixels/video/x264.ts';
import { createCodecSelector, type CodecSelector } from './codec-selector.ts';
import { createVideoStream, type VideoStream } from './video-stream.ts';

export interface LossyEncoder {
  /** The codec that the layout message names. */
  codec: 'vp8' | 'tiles';
  /** `h264`: whether the operator can decode H.264. */
  configure(view: { h264: boolean }): void;
  /** Whether the next frame of full size is video, not JPEG. */
  isVideo(): boolean;
  /** Undefined if the codec produced nothing; the caller then sends the boxes exactly. */
  encode(boxes: readonly Box[], profile: QualityProfile, now: number): Promise<Encoded | undefined>;
  /** Encodes the boxes as JPEG, which takes less time than the first frame of video; undefined if there is no JPEG. */
  encodeFirst(boxes: readonly Box[], profile: QualityProfile): Promise<Encoded | undefined>;
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

interface State {
  framebuffer: Framebuffer;
  rateController: RateController;
  clock: () => number;
  /** What the device can encode and the operator may be able to decode. */
  codecs: Record<VideoCodec['name'], VideoCodec | undefined>;
  stream: VideoStream;
  jpeg: EncodeJpeg | undefined;
  selector: CodecSelector;
}

/** What this device can encode. The libraries are loaded once. */
export async function loadCodecs() {
  const [vp8, h264, jpeg] = await Promise.all([loadVp8Codec(), loadH264Codec(), loadJpegEncoder()]);
  return { vp8, h264, jpeg };
}

export async function createLossyEncoder(
  framebuffer: Framebuffer,
  { rateController, video, clock }: { rateController: RateController; video: boolean; clock: () => number },
): Promise<LossyEncoder> {
  const { jpeg, vp8, h264: encoderOfH264 } = await loadCodecs();
  const codecs = {
    vp8: video ? vp8 : undefined,
    h264: video && hasEvenSides(framebuffer) ? encoderOfH264 : undefined,
  };
  const stream = await createVideoStream(framebuffer);
  const selector = createCodecSelector(rateController, { jpeg: jpeg !== undefined });
  const state: State = { framebuffer, rateController, clock, codecs, stream, jpeg, selector };
  useCodec(state, codecs.vp8);
  return {
    codec: codecs.vp8 || codecs.h264 ? 'vp8' : 'tiles',
    configure: ({ h264 }) => useCodec(state, h264 && codecs.h264 ? codecs.h264 : codecs.vp8),
    isVideo: () => selector.codec() === 'video',
    encode: (boxes, profile, now) => encode(state, boxes, profile, now),
    encodeFirst: (boxes, profile) => encodeJpeg(state, boxes, profile),
    prefersHalf: ({ half }) =>
      stream.codec() !== undefined &&
      hasEvenSides(framebuffer) &&
      (half === 'always' || (half === 'if_slow' && selector.isVideoSlow())),
    encodeHalf: (boxes, profile, now) => stream.encodeHalf(boxes, tuned(state, profile), now),
    polish: async (boxes, now) =>
      selector.codec() === 'video' ? stream.encode(boxes, polishProfile, now) : undefined,
    restart: () => stream.restart(),
    close: () => stream.close(),
  };
}

const hasEvenSides = ({ width, height }: Framebuffer): boolean => width % 2 === 0 && height % 2 === 0;

function useCodec({ stream, selector }: State, codec: VideoCodec | undefined): void {
  stream.use(codec);
  selector.use(codec);
}

async function encode(
  state: State,
  boxes: readonly Box[],
  profile: QualityProfile,
  now: number,
): Promise<Encoded | undefined> {
  const { clock, selector, stream } = state;
  const startedAt = clock();
  const encoded = await (selector.codec() === 'video'
    ? stream.encode(boxes, tuned(state, profile), now)
    : encodeJpeg(state, boxes, profile));
  selector.encoded(clock() - startedAt, clock());
  return encoded;
}

async function encodeJpeg(
  { framebuffer, rateController, jpeg }: State,
  boxes: readonly Box[],
  profile: QualityProfile,
): Promise<Encoded | undefined> {
  const quality = Math.min(rateController.quality(), profile.quality);
  return jpeg && { copies: [], tiles: await jpeg(framebuffer, boxes, quality) };
}

const tuned = ({ rateController }: State, profile: QualityProfile): QualityProfile => ({
  ...profile,
  bitrate: Math.min(rateController.bitrate(), profile.bitrate),
});
