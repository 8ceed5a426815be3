/** Video of the kind VP8, made by the system's libvpx in another thread: only blocks that are asked for are encoded anew. */
import { availableParallelism } from 'node:os';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { findLibrary, loadKoffi, type Koffi, type Library } from '../platform/native.ts';
import { loadYuvConverter, createYuvPlanes, type ConvertToYuv, type YuvPlanes } from './yuv.ts';
import { blockSize } from './lossy-blocks.ts';
import type { Framebuffer } from './framebuffer.ts';
import {
  activeMap,
  configuration,
  constantBitrate,
  contextBytes,
  controls,
  i420,
  image,
  keyFlag,
  newestVersion,
  otherVersion,
  packet,
  realTime,
} from './vpx-memory.ts';

export interface VideoEncoder {
  /** Encodes the blocks that the boxes touch; all of the picture when it is to stand for itself. */
  encode(boxes: readonly Box[], isKey: boolean, now: number): Promise<Buffer | undefined>;
  /** Bits per second in thousands, and the bounds of how coarse it may become, 0 to 63. */
  tune(how: { bitrate: number; minQuantizer: number; maxQuantizer: number }): void;
  close(): void;
}

type Call = ((...values: unknown[]) => unknown) & { async(...values: unknown[]): void };

interface Codec {
  koffi: Koffi;
  library: Record<'codec' | 'defaults' | 'init' | 'control' | 'set' | 'encode' | 'next' | 'destroy', Call>;
  convert: ConvertToYuv;
}

const names = [7, 9, 8, 10, 11, 6].map((version) => `libvpx.so.${version}`);
/** How much quality is given up for speed: 16 is the most. */
const speed = -12;
/** In thousandths of seconds: the time base, and the duration of a picture. */
const [perSecond, duration] = [1_000, 33];
/** A key frame may be so many times as large as the others, in percent. */
const largestKeyFrame = 1_200;

let loaded: Promise<Codec | undefined> | undefined;

/** Undefined where the system has no libvpx. */
export const loadVpx = (): Promise<Codec | undefined> => (loaded ??= load());

async function load(): Promise<Codec | undefined> {
  const koffi = await loadKoffi();
  const found = koffi && findLibrary(koffi, names);
  return koffi && found && { koffi, library: functionsOf(found), convert: await loadYuvConverter() };
}

const functionsOf = (library: Library): Codec['library'] => ({
  codec: library.func('void* vpx_codec_vp8_cx()'),
  defaults: library.func('int vpx_codec_enc_config_default(void* codec, void* config, uint usage)'),
  init: library.func(
    'int vpx_codec_enc_init_ver(void* context, void* codec, void* config, long flags, int version)',
  ),
  control: library.func('int vpx_codec_control_(void* context, int id, ...)'),
  set: library.func('int vpx_codec_enc_config_set(void* context, void* config)'),
  encode: library.func(
    'int vpx_codec_encode(void* context, void* image, int64 time, ulong duration, long flags, ulong deadline)',
  ),
  next: library.func('void* vpx_codec_get_cx_data(void* context, void* iterator)'),
  destroy: library.func('int vpx_codec_destroy(void* context)'),
});

export function createVideoEncoder(
  { koffi, library, convert }: Codec,
  framebuffer: Framebuffer,
): VideoEncoder {
  const context = Buffer.alloc(contextBytes);
  const config = Buffer.alloc(configuration.bytes);
  start(library, context, config, framebuffer);
  const planes = createYuvPlanes(framebuffer);
  const described = imageOf(koffi, framebuffer, planes);
  const active = createActiveMap(koffi, framebuffer);
  let [time, isBusy, isClosed] = [0, false, false];
  const end = (): void => void library.destroy(context);

  return {
    async encode(boxes, isKey, now) {
      const blocks = isKey
        ? [{ x: 0, y: 0, ...framebuffer }]
        : boxes.map((box) => alignToBlocks(box, framebuffer));
      for (const box of blocks) convert(framebuffer, planes, box);
      library.control(context, controls.activeMap, 'void*', active.of(isKey ? undefined : blocks));
      time = Math.max(time + 1, Math.round(now));
      isBusy = true;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      library.encode.async(
        context,
        described,
        time,
        duration,
        isKey ? keyFlag : 0,
        realTime,
        (error: Error | null, code: number) =>
          error || code !== 0 ? reject(error ?? new Error(`libvpx answered ${code}`)) : resolve(),
      );
      try {
        await promise;
        return isClosed ? undefined : packetsOf(koffi, library, context);
      } finally {
        isBusy = false;
        if (isClosed) end();
      }
    },
    tune({ bitrate, minQuantizer, maxQuantizer }) {
      config.writeUInt32LE(Math.round(bitrate), configuration.bitrate);
      config.writeUInt32LE(minQuantizer, configuration.lowestQuantizer);
      config.writeUInt32LE(maxQuantizer, configuration.highestQuantizer);
      library.set(context, config);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      if (!isBusy) end();
    },
  };
}

function start(
  library: Codec['library'],
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
    timeDenominator: perSecond,
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
  library.control(context, controls.speed, 'int', speed);
  library.control(context, controls.staticThreshold, 'int', 100);
  library.control(context, controls.screenContent, 'int', 1);
  library.control(context, controls.largestKeyFrame, 'int', largestKeyFrame);
}

function imageOf(koffi: Koffi, { width, height }: Framebuffer, planes: YuvPlanes): Buffer {
  const made = Buffer.alloc(image.bytes);
  const numbers = {
    format: i420,
    width,
    height,
    depth: 8,
    shownWidth: width,
    shownHeight: height,
    chromaShiftX: 1,
    chromaShiftY: 1,
    bitsPerSample: 12,
  } as const;
  for (const [name, value] of Object.entries(numbers))
    made.writeUInt32LE(value, image[name as keyof typeof numbers]);
  const { bytes, stride, cb, cr } = planes;
  const address = koffi.address(bytes);
  [0, cb, cr].forEach((at, plane) => {
    made.writeBigUInt64LE(address + BigInt(at), image.planes + 8 * plane);
    made.writeUInt32LE(plane === 0 ? stride : stride / 2, image.strides + 4 * plane);
  });
  return made;
}

/** Tells the library which blocks it is to look at; the record holds the address of the map, so both stay together. */
function createActiveMap(
  koffi: Koffi,
  { width, height }: Framebuffer,
): { of(boxes: readonly Box[] | undefined): Buffer } {
  const [columns, rows] = [Math.ceil(width / blockSize), Math.ceil(height / blockSize)];
  const map = Buffer.alloc(columns * rows);
  const record = Buffer.alloc(activeMap.bytes);
  record.writeUInt32LE(rows, activeMap.rows);
  record.writeUInt32LE(columns, activeMap.columns);
  return {
    of(boxes) {
      record.writeBigUInt64LE(boxes ? koffi.address(map) : 0n, activeMap.map);
      map.fill(0);
      for (const box of boxes ?? [])
        for (let row = box.y / blockSize; row < (box.y + box.height) / blockSize; row += 1)
          map.fill(
            1,
            row * columns + box.x / blockSize,
            row * columns + Math.ceil((box.x + box.width) / blockSize),
          );
      return record;
    },
  };
}

/** The box that the blocks make which this one touches. */
export function alignToBlocks(
  { x, y, width, height }: Box,
  framebuffer: Pick<Framebuffer, 'width' | 'height'>,
): Box {
  const [left, top] = [Math.floor(x / blockSize) * blockSize, Math.floor(y / blockSize) * blockSize];
  const right = Math.min(framebuffer.width, Math.ceil((x + width) / blockSize) * blockSize);
  const bottom = Math.min(framebuffer.height, Math.ceil((y + height) / blockSize) * blockSize);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function packetsOf(koffi: Koffi, library: Codec['library'], context: Buffer): Buffer | undefined {
  const iterator = Buffer.alloc(8);
  const parts: Buffer[] = [];
  for (let at = library.next(context, iterator); at; at = library.next(context, iterator)) {
    const record = Buffer.from(koffi.view(at, packet.bytes));
    if (record.readUInt32LE(packet.kind) !== 0) continue;
    const size = Number(record.readBigUInt64LE(packet.size));
    // Copied, as the library writes the next picture to the same place.
    parts.push(Buffer.from(new Uint8Array(koffi.view(record.readBigUInt64LE(packet.data), size))));
  }
  return parts.length > 0 ? Buffer.concat(parts) : undefined;
}
