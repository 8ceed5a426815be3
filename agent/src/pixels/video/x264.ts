/** Encodes H.264 video (constrained baseline, Annex B) with the system's libx264 in another thread. */
import { availableParallelism } from 'node:os';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundsOf, createFramebuffer, type Framebuffer } from '../framebuffer.ts';
import { alignToBlocks, type VideoCodec, type VideoEncoder, type VideoSettings } from './video-encoder.ts';
import { planar420, keyFrame, loadX264, parameters, picture, unit, type X264 } from './x264-library.ts';
import { createYuvPlanes, type YuvPlanes } from './yuv.ts';

/** A frame may be as large as its share of the bitrate: the time since the last one, but at least and at most so much. */
const [shortestMs, longestMs] = [1_000 / 30, 1_000 / 10];
/** So many quantizers more halve the size of a frame. */
const halvingQuantizers = 6;
/** A frame corrects this part of the error of the one before, but by no more than so many quantizers. */
const [correction, mostCorrection] = [0.5, 4];
/** A key frame is coarser, because it is several times as large. */
const keyQuantizers = 4;
const firstQuantizer = 30;

let loaded: Promise<VideoCodec | undefined> | undefined;

/** Resolves with undefined if the system has no libx264 of a known version, or one that cannot be used. */
export const loadH264Codec = (): Promise<VideoCodec | undefined> => (loaded ??= load());

async function load(): Promise<VideoCodec | undefined> {
  const x264 = await loadX264();
  if (!x264 || !canStart(x264)) return undefined;
  return { name: 'h264', slowMs: 28, createEncoder: (framebuffer) => createX264Encoder(x264, framebuffer) };
}

/** A build may lack a setting. VP8 is then used instead. */
function canStart(x264: X264): boolean {
  try {
    createX264Encoder(x264, createFramebuffer(64, 64)).close();
    return true;
  } catch {
    return false;
  }
}

interface State extends X264 {
  framebuffer: Framebuffer;
  encoder: unknown;
  planes: YuvPlanes;
  picture: Buffer;
  /** Memory for what the library returns. It writes to it from another thread, so it must live as long as the encoder. */
  results: Record<'units' | 'count' | 'coded', Buffer>;
  settings: VideoSettings;
  /** What the next frame is encoded with, before it is limited to the range of the settings. */
  quantizer: number;
  frames: number;
  /** When the last frame was encoded. */
  encodedAt: number;
  isBusy: boolean;
  isClosed: boolean;
}

function createX264Encoder(x264: X264, framebuffer: Framebuffer): VideoEncoder {
  const encoder = x264.library.open(createParameters(x264.library, framebuffer));
  if (!encoder) throw new Error('libx264 could not start');
  const planes = createYuvPlanes(framebuffer);
  const state: State = {
    ...x264,
    framebuffer,
    encoder,
    planes,
    picture: describePicture(x264, planes),
    results: { units: Buffer.alloc(8), count: Buffer.alloc(8), coded: Buffer.alloc(picture.bytes) },
    settings: { bitrate: 4_000, minQuantizer: 0, maxQuantizer: 63 },
    quantizer: firstQuantizer,
    frames: 0,
    encodedAt: -Infinity,
    isBusy: false,
    isClosed: false,
  };
  return {
    encode: (boxes, isKey, now) => encode(state, boxes, isKey, now),
    tune: (settings) => void (state.settings = settings),
    close() {
      if (state.isClosed) return;
      state.isClosed = true;
      if (!state.isBusy) x264.library.close(encoder);
    },
  };
}

function createParameters(library: X264['library'], { width, height }: Framebuffer): Buffer {
  const values = Buffer.alloc(parameters.bytes);
  library.preset(values, 'ultrafast', 'zerolatency');
  values.writeInt32LE(width, parameters.width);
  values.writeInt32LE(height, parameters.height);
  const settings = {
    threads: availableParallelism() > 1 ? 2 : 1,
    keyint: 'infinite',
    scenecut: 0,
    // The rate control is our own: that of the library assumes a constant number of frames per second.
    qp: firstQuantizer,
    // sRGB, converted to YUV by ITU-R BT.601.
    colorprim: 'bt709',
    transfer: 'iec61966-2-1',
    colormatrix: 'smpte170m',
    fullrange: 'off',
    // Nothing, because it would go to the standard error of the agent.
    log: -1,
  };
  for (const [name, value] of Object.entries(settings))
    if (library.set(values, name, String(value)) !== 0) throw new Error(`libx264 has no setting ${name}`);
  library.profile(values, 'baseline');
  return values;
}

function describePicture({ koffi, library }: X264, { bytes, stride, cb, cr }: YuvPlanes): Buffer {
  const record = Buffer.alloc(picture.bytes);
  library.picture(record);
  record.writeInt32LE(planar420, picture.chroma);
  record.writeInt32LE(3, picture.planeCount);
  const address = koffi.address(bytes);
  [0, cb, cr].forEach((at, plane) => {
    record.writeInt32LE(plane === 0 ? stride : stride / 2, picture.strides + 4 * plane);
    record.writeBigUInt64LE(address + BigInt(at), picture.planes + 8 * plane);
  });
  return record;
}

/** Blocks outside the boxes are as they were, and cost next to nothing. */
async function encode(
  state: State,
  boxes: readonly Box[],
  isKey: boolean,
  now: number,
): Promise<Buffer | undefined> {
  const { library, convert, framebuffer, planes } = state;
  const blocks = isKey ? [boundsOf(framebuffer)] : boxes.map((box) => alignToBlocks(box, framebuffer));
  for (const box of blocks) convert(framebuffer, planes, box);
  state.picture.writeInt32LE(isKey ? keyFrame : 0, picture.type);
  state.picture.writeInt32LE(quantizerOf(state, isKey) + 1, picture.quantizerPlus1);
  state.picture.writeBigInt64LE(BigInt((state.frames += 1)), picture.time);
  state.isBusy = true;
  try {
    const data = await encodeInThread(state);
    if (data && !isKey) adaptQuantizer(state, data.length, now);
    state.encodedAt = now;
    return data;
  } finally {
    state.isBusy = false;
    // `close` leaves the encoder to this call, because the library still used it.
    if (state.isClosed) library.close(state.encoder);
  }
}

function quantizerOf({ quantizer, settings }: State, isKey: boolean): number {
  const wanted = quantizer + (isKey ? keyQuantizers : 0);
  return Math.round(limit(wanted, toH264(settings.minQuantizer), toH264(settings.maxQuantizer)));
}

function adaptQuantizer(state: State, bytes: number, now: number): void {
  const { bitrate, minQuantizer, maxQuantizer } = state.settings;
  const share = (bitrate / 8) * limit(now - state.encodedAt, shortestMs, longestMs);
  const error = Math.log2(bytes / share) * halvingQuantizers * correction;
  const next = state.quantizer + limit(error, -mostCorrection, mostCorrection);
  state.quantizer = limit(next, toH264(minQuantizer), toH264(maxQuantizer));
}

const limit = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

function encodeInThread(state: State): Promise<Buffer | undefined> {
  const { koffi, library, encoder } = state;
  const { units, count, coded } = state.results;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  library.encode.async(
    encoder,
    units,
    count,
    state.picture,
    coded,
    (error: Error | null, bytes: number): void => {
      if (error || bytes < 0) return reject(error ?? new Error(`libx264 answered ${bytes}`));
      if (bytes === 0 || state.isClosed) return resolve(undefined);
      const first = Buffer.from(koffi.view(units.readBigUInt64LE(), unit.bytes));
      // Copied, because the library writes the next frame to the same memory.
      resolve(Buffer.from(new Uint8Array(koffi.view(first.readBigUInt64LE(unit.data), bytes))));
    },
  );
  return promise;
}

/** The quantizer of H.264 (0 to 51) with about the same step as one of VP8. */
const toH264 = (quantizer: number): number => Math.round(8 + (quantizer * 40) / 63);
