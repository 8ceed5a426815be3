/** The stream of video frames to one operator: one codec, at full or at half size. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundsOf, createFramebuffer, type Framebuffer } from '../pixels/framebuffer.ts';
import { halfBox, loadHalfScaler, type ScaleToHalf } from '../pixels/half-size.ts';
import {
  alignToBlocks,
  type VideoCodec,
  type VideoEncoder,
  type VideoSettings,
} from '../pixels/video/video-encoder.ts';
import type { Encoded } from './encoded-frame.ts';

export interface VideoStream {
  codec(): VideoCodec | undefined;
  /** Selects the codec of the next frames; undefined if there is none. */
  use(codec: VideoCodec | undefined): void;
  /** Undefined if there is no codec or it produced nothing. */
  encode(boxes: readonly Box[], settings: VideoSettings, now: number): Promise<Encoded | undefined>;
  /** Encodes the boxes at half size. Both sides of the picture must be even. */
  encodeHalf(boxes: readonly Box[], settings: VideoSettings, now: number): Promise<Encoded | undefined>;
  /** Makes the next frame a key frame, because the operator has lost the frames before it. */
  restart(): void;
  close(): void;
}

/** The highest bitrate at half size, in kbit/s. It keeps a film below 700 kB/s. */
const maxHalfBitrate = 4_000;

interface State {
  framebuffer: Framebuffer;
  scaleToHalf: ScaleToHalf;
  /** The codec of the next frame, and that of the encoders below. */
  next: VideoCodec | undefined;
  codec: VideoCodec | undefined;
  /** Created with the first frame of their size. */
  full: VideoEncoder | undefined;
  half: { framebuffer: Framebuffer; encoder: VideoEncoder } | undefined;
  /** The size of the last frame. Undefined if the next one must be a key frame. */
  lastSize: 'full' | 'half' | undefined;
}

export async function createVideoStream(framebuffer: Framebuffer): Promise<VideoStream> {
  const scaleToHalf = await loadHalfScaler();
  const state: State = {
    framebuffer,
    scaleToHalf,
    next: undefined,
    codec: undefined,
    full: undefined,
    half: undefined,
    lastSize: undefined,
  };
  return {
    codec: () => state.next,
    use: (codec) => void (state.next = codec),
    encode: (boxes, settings, now) => encode(state, boxes, settings, now),
    encodeHalf: (boxes, settings, now) => encodeHalf(state, boxes, settings, now),
    restart: () => void (state.lastSize = undefined),
    close: () => close(state),
  };
}

function close(state: State): void {
  state.full?.close();
  state.half?.encoder.close();
  [state.full, state.half, state.lastSize] = [undefined, undefined, undefined];
}

/** A frame that is being encoded keeps its codec, so that it is not lost. */
function startFrame(state: State): VideoCodec | undefined {
  if (state.codec !== state.next) close(state);
  return (state.codec = state.next);
}

async function encode(
  state: State,
  boxes: readonly Box[],
  settings: VideoSettings,
  now: number,
): Promise<Encoded | undefined> {
  const { framebuffer } = state;
  const codec = startFrame(state);
  if (!codec) return undefined;
  const encoder = (state.full ??= codec.createEncoder(framebuffer, false));
  encoder.tune(settings);
  const key = state.lastSize !== 'full';
  const data = await encoder.encode(boxes, key, now);
  if (!data) return undefined;
  state.lastSize = 'full';
  return toEncoded(codec, { key, boxes: boxes.map((box) => alignToBlocks(box, framebuffer)), data });
}

/** The operator decodes one stream, so the first frame of each size is a key frame. */
async function encodeHalf(
  state: State,
  boxes: readonly Box[],
  { bitrate, ...rest }: VideoSettings,
  now: number,
): Promise<Encoded | undefined> {
  const { framebuffer, scaleToHalf } = state;
  const codec = startFrame(state);
  if (!codec) return undefined;
  const { framebuffer: half, encoder } = (state.half ??= createHalf(codec, framebuffer));
  const key = state.lastSize !== 'half';
  const halfBoxes = boxes.map((box) => halfBox(box, half));
  for (const box of key ? [boundsOf(half)] : halfBoxes) scaleToHalf(framebuffer, half, box);
  encoder.tune({ ...rest, bitrate: Math.min(bitrate, maxHalfBitrate) });
  const data = await encoder.encode(halfBoxes, key, now);
  if (!data) return undefined;
  state.lastSize = 'half';
  return toEncoded(codec, { key, boxes, half: true, data });
}

const toEncoded = ({ name }: VideoCodec, video: NonNullable<Encoded['video']>): Encoded => ({
  copies: [],
  tiles: [],
  video: { ...video, ...(name === 'h264' && { h264: true }) },
});

function createHalf(codec: VideoCodec, { width, height }: Framebuffer): NonNullable<State['half']> {
  const framebuffer = createFramebuffer(width / 2, height / 2);
  return { framebuffer, encoder: codec.createEncoder(framebuffer, true) };
}
