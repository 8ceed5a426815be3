/** An operator who looks at the screen of a device: replays copies and tiles into a picture of its own, and acknowledges. */
import { createRequire } from 'node:module';
import type Jpeg from '@julusian/jpeg-turbo';
import {
  decodeCursor,
  decodeTiles,
  decodeVideo,
  type CopyRect,
  type CursorUpdate,
  type Tile,
  type TileUpdate,
  type VideoUpdate,
} from '@drawbridge/contract/session/screen-frames';
import { decodeMessage, type SessionMessage } from '@drawbridge/contract/session/messages';
import { openDesktop } from '@drawbridge/agent/platform/linux/desktop';
import type { Platform } from '@drawbridge/agent/platform/platform';
import { screenFeature } from '@drawbridge/agent/session/features/screen';
import { encodePayload } from '@drawbridge/session/payloads';
import type { FeatureContext } from '@drawbridge/agent/session/feature';
import { readPng } from '../display/png-reader.ts';

export interface Viewer extends AsyncDisposable {
  layouts: SessionMessage<'layout'>[];
  tiles: TileUpdate[];
  videos: VideoUpdate[];
  cursors: CursorUpdate[];
  refused: { kind: string; message: string }[];
  /** All pixels as the operator sees them; what came as video is missing. */
  pixels(): Uint32Array;
  /** Bytes of pictures so far. */
  bytes(): number;
  /** From now on nothing is acknowledged; or again, with what was withheld. */
  acknowledge(isDone: boolean): void;
  look(view: SessionMessage<'view'>): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** The session ends. */
  stop(): Promise<void>;
  /** Resolves when this is true after some frame, or at once. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves when the operator sees exactly these pixels. */
  untilSame(truth: ArrayLike<number>): Promise<void>;
  /** Resolves when a refusal like this was or is told. */
  untilRefused(pattern: RegExp): Promise<void>;
  /** Resolves when no frame has come for so long. */
  quiet(ms: number): Promise<void>;
}

const { decompressSync, FORMAT_BGRA } = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof Jpeg;

const waitTimeoutMs = 120_000;

export async function startViewer(
  view: Partial<SessionMessage<'view'>> = {},
  platform: Partial<Platform> = { desktop: openDesktop },
): Promise<Viewer> {
  const seen = { layouts: [], tiles: [], videos: [], cursors: [], refused: [] } as Pick<
    Viewer,
    'layouts' | 'tiles' | 'videos' | 'cursors' | 'refused'
  >;
  const watchers = new Set<() => void>();
  let canvas = createCanvas(0, 0);
  let [bytes, isAcknowledging] = [0, true];
  const withheld: number[] = [];
  const acknowledge = (number: number): void => {
    if (isAcknowledging) setImmediate(() => void part.handlers.shown!(number));
    else withheld.push(number);
  };

  const receive: Record<string, (payload: Uint8Array) => void> = {
    layout(payload) {
      const layout = decodeMessage('layout', payload)!;
      seen.layouts.push(layout);
      canvas = createCanvas(layout.width, layout.height);
    },
    tiles(payload) {
      const tiles = decodeTiles(payload)!;
      seen.tiles.push(tiles);
      tiles.copies.forEach(canvas.copy);
      tiles.tiles.forEach(canvas.draw);
      acknowledge(tiles.number);
    },
    video(payload) {
      const video = decodeVideo(payload)!;
      seen.videos.push(video);
      acknowledge(video.number);
    },
    cursor: (payload) => void seen.cursors.push(decodeCursor(payload)!),
  };
  const featureContext: FeatureContext = {
    session: 1,
    operator: { name: 'ann@example.com', address: '192.0.2.1' },
    permissions: new Set(['agent_connect', 'agent_control']),
    platform: platform as Platform,
    send: (kind, payload) => featureContext.sendEncoded(kind, encodePayload(kind, payload)),
    sendEncoded(kind, payload) {
      bytes += payload.length;
      receive[kind]?.(payload.slice());
      watchers.forEach((look) => look());
    },
    buffered: () => 0,
    drained: async () => {},
    refuse(kind, message) {
      seen.refused.push({ kind, message });
      watchers.forEach((look) => look());
    },
    end: () => {},
    ask: async () => false,
    shield: { whyNot: () => undefined, take: () => {}, announce: () => {} },
    log: () => {},
  };
  const part = screenFeature(featureContext);
  if (Object.keys(view).length > 0) await part.handlers.view!(view);
  await part.start!();

  const until = (isTrue: () => boolean): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limit = setTimeout(() => reject(new Error(`it never came true: ${String(isTrue)}`)), waitTimeoutMs);
    const look = (): void => {
      if (!isTrue()) return;
      watchers.delete(look);
      clearTimeout(limit);
      resolve();
    };
    watchers.add(look);
    look();
    return promise;
  };
  return {
    ...seen,
    pixels: () => canvas.pixels,
    bytes: () => bytes,
    acknowledge(isDone) {
      isAcknowledging = isDone;
      if (isDone) withheld.splice(0).forEach(acknowledge);
    },
    look: async (wished) => part.handlers.view!(wished),
    resize: async (width, height) => part.handlers.resize!({ width, height }),
    until,
    untilSame: (truth) =>
      until(
        () =>
          canvas.pixels.length === truth.length && canvas.pixels.every((pixel, at) => pixel === truth[at]),
      ),
    untilRefused: (pattern) => until(() => seen.refused.some(({ message }) => pattern.test(message))),
    quiet(ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      let timer = setTimeout(resolve, ms);
      const look = (): void => {
        clearTimeout(timer);
        timer = setTimeout(resolve, ms);
      };
      watchers.add(look);
      return promise.finally(() => watchers.delete(look));
    },
    stop: async () => part.stop(),
    async [Symbol.asyncDispose]() {
      await part.stop();
    },
  };
}

/** What a browser's canvas does with copies and tiles. */
function createCanvas(width: number, height: number) {
  const pixels = new Uint32Array(width * height);
  const put = (
    x: number,
    y: number,
    picture: { width: number; height: number; pixels: Uint32Array },
  ): void => {
    for (let row = 0; row < picture.height; row += 1)
      pixels.set(
        picture.pixels
          .subarray(row * picture.width, (row + 1) * picture.width)
          .map((pixel) => pixel & 0xffffff),
        (y + row) * width + x,
      );
  };
  const take = ({ x, y, width: wide, height: high }: CopyRect): Uint32Array => {
    const taken = new Uint32Array(wide * high);
    for (let row = 0; row < high; row += 1)
      taken.set(pixels.subarray((y + row) * width + x, (y + row) * width + x + wide), row * wide);
    return taken;
  };
  return {
    pixels,
    copy: (copy: CopyRect) => put(copy.toX, copy.toY, { ...copy, pixels: take(copy) }),
    draw: ({ x, y, image }: Tile) => put(x, y, image[0] === 0xff ? readJpeg(image) : readPng(image)),
  };
}

function readJpeg(image: Uint8Array): { width: number; height: number; pixels: Uint32Array } {
  const { data, width, height } = decompressSync(Buffer.from(image), { format: FORMAT_BGRA });
  return { width, height, pixels: new Uint32Array(new Uint8Array(data).buffer) };
}
