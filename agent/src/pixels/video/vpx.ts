/** Encodes VP8 video with libvpx in another thread. Only the requested blocks are encoded again. */
import { availableParallelism } from 'node:os';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { createYuvPlanes, type YuvPlanes } from './yuv.ts';
import type { Framebuffer } from '../framebuffer.ts';
import {
  configuration,
  constantBitrate,
  contextBytes,
  controls,
  keyFlag,
  newestVersion,
  otherVersion,
  realTime,
} from './vpx-memory.ts';
import { alignToBlocks, type VideoCodec, type VideoEncoder, type VideoSettings } from './video-encoder.ts';
import { loadVpx, type Vpx } from './vpx-library.ts';
import { createActiveMap, describeImage, readPackets, type ActiveMap } from './vpx-records.ts';

/** Resolves with undefined if there is no libvpx. */
export async function loadVp8Codec(): Promise<VideoCodec | undefined> {
  const vpx = await loadVpx();
  return (
    vpx && {
      name: 'vp8',
      slowMs: 14,
      createEncoder: (framebuffer, isFast) => createVpxEncoder(vpx, framebuffer, isFast),
    }
  );
}

/** How much quality is traded for speed; 16 is the maximum. Negative values select a fixed speed. */
const encoderSpeeds = { normal: -12, fastest: -16 } as const;
/** The time base in ticks per second, and the duration of a frame in ticks. */
const [ticksPerSecond, frameDuration] = [1_000, 33];
/** The maximum size of a key frame, in percent of an average frame. */
const largestKeyFrame = 1_200;

interface State extends Vpx {
  framebuffer: Framebuffer;
  context: Buffer;
  config: Buffer;
  planes: YuvPlanes;
  imageRecord: Buffer;
  activeMap: ActiveMap;
  /** The timestamp of the last frame, which must grow from frame to frame. */
  time: number;
  isBusy: boolean;
  isClosed: boolean;
}

function createVpxEncoder(vpx: Vpx, framebuffer: Framebuffer, isFast: boolean): VideoEncoder {
  const context = Buffer.alloc(contextBytes);
  const config = Buffer.alloc(configuration.bytes);
  start(vpx.library, context, config, framebuffer);
  vpx.library.control(context, controls.speed, 'int', isFast ? encoderSpeeds.fastest : encoderSpeeds.normal);
  const planes = createYuvPlanes(framebuffer);
  const state: State = {
    ...vpx,
    framebuffer,
    context,
    config,
    planes,
    imageRecord: describeImage(vpx.koffi, framebuffer, planes),
    activeMap: createActiveMap(vpx.koffi, framebuffer),
    time: 0,
    isBusy: false,
    isClosed: false,
  };
  return {
    encode: (boxes, isKey, now) => encode(state, boxes, isKey, now),
    tune: (settings) => tune(state, settings),
    close() {
      if (state.isClosed) return;
      state.isClosed = true;
      if (!state.isBusy) vpx.library.destroy(context);
    },
  };
}

async function encode(
  state: State,
  boxes: readonly Box[],
  isKey: boolean,
  now: number,
): Promise<Buffer | undefined> {
  const { library, convert, framebuffer, context, planes } = state;
  const blocks = isKey
    ? [{ x: 0, y: 0, ...framebuffer }]
    : boxes.map((box) => alignToBlocks(box, framebuffer));
  for (const box of blocks) convert(framebuffer, planes, box);
  const map = state.activeMap.of(isKey ? undefined : blocks);
  library.control(context, controls.activeMap, 'void*', map);
  state.time = Math.max(state.time + 1, Math.round(now));
  state.isBusy = true;
  try {
    await encodeInThread(state, isKey);
    return state.isClosed ? undefined : readPackets(state, context);
  } finally {
    state.isBusy = false;
    // `close` leaves the context to this call, because the library still used it.
    if (state.isClosed) library.destroy(context);
  }
}

function encodeInThread({ library, context, imageRecord, time }: State, isKey: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  library.encode.async(
    context,
    imageRecord,
    time,
    frameDuration,
    isKey ? keyFlag : 0,
    realTime,
    (error: Error | null, code: number) =>
      error || code !== 0 ? reject(error ?? new Error(`libvpx answered ${code}`)) : resolve(),
  );
  return promise;
}

function tune(
  { library, context, config }: State,
  { bitrate, minQuantizer, maxQuantizer }: VideoSettings,
): void {
  config.writeUInt32LE(Math.round(bitrate), configuration.bitrate);
  config.writeUInt32LE(minQuantizer, configuration.lowestQuantizer);
  config.writeUInt32LE(maxQuantizer, configuration.highestQuantizer);
  library.set(context, config);
}

function start(
  library: Vpx['library'],
  context: Buffer,
  config: Buffer,
  { width, height }: Framebuffer,
): void {
  const codec = library.codec();
  library.defaults(codec, config, 0);
  const values: Partial<Record<keyof typeof configuration, number>> = {
    threads: availableParallelism() > 2 ? 2 : 1,
    width,
    height,
    timeNumerator: 1,
    timeDenominator: ticksPerSecond,
    lag: 0,
    endUsage: constantBitrate,
    undershoot: 50,
    overshoot: 50,
    bufferSize: 1_000,
    bufferInitial: 600,
    bufferOptimal: 600,
    keyFrameMode: 0,
  };
  for (const [name, value] of Object.entries(values))
    config.writeUInt32LE(value, configuration[name as keyof typeof configuration]);
  let answer = otherVersion;
  for (let version = 1; version <= newestVersion && answer === otherVersion; version += 1)
    answer = library.init(context, codec, config, 0, version) as number;
  if (answer !== 0) throw new Error(`libvpx could not start: ${answer}`);
  library.control(context, controls.staticThreshold, 'int', 100);
  library.control(context, controls.screenContent, 'int', 1);
  library.control(context, controls.largestKeyFrame, 'int', largestKeyFrame);
}
