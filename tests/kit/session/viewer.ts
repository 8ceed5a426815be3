/**
 * An operator who views the screen of a device: applies copies and tiles to its own picture, and
 * acknowledges.
 */
import { defaultPolicy } from '@drawbridge/contract/policy';
import type { FrameKindName } from '@drawbridge/contract/session/frame-kinds';
import { encodePayload } from '@drawbridge/session/payloads';
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
import type { Feature, FeatureContext } from '@drawbridge/agent/session/feature';
import { readPng } from '../display/png-reader.ts';

export interface Viewer extends AsyncDisposable {
  layouts: SessionMessage<'layout'>[];
  tiles: TileUpdate[];
  videos: VideoUpdate[];
  cursors: CursorUpdate[];
  refused: { kind: string; message: string }[];
  /** All pixels as the operator sees them; areas sent as video are missing. */
  pixels(): Uint32Array;
  /** Bytes of pictures so far. */
  bytes(): number;
  /** Stops acknowledging; or resumes, and sends the withheld acknowledgements. */
  acknowledge(isDone: boolean): void;
  look(view: SessionMessage<'view'>): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Ends the session. */
  stop(): Promise<void>;
  /** Resolves when this is true, now or after any later frame. */
  until(isTrue: () => boolean): Promise<void>;
  /** Resolves when the operator sees exactly these pixels. */
  untilSame(truth: ArrayLike<number>): Promise<void>;
  /** Resolves when a matching refusal is or was received. */
  untilRefused(pattern: RegExp): Promise<void>;
  /** Resolves when no frame has arrived for this long. */
  quiet(ms: number): Promise<void>;
}

const { decompressSync, FORMAT_BGRA } = createRequire(import.meta.url)('@julusian/jpeg-turbo') as typeof Jpeg;

const waitTimeoutMs = 120_000;

type Received = Pick<Viewer, 'layouts' | 'tiles' | 'videos' | 'cursors' | 'refused'>;

interface ViewerState {
  received: Received;
  /** Called after every frame and refusal. */
  watchers: Set<() => void>;
  canvas: ReturnType<typeof createCanvas>;
  bytes: number;
  isAcknowledging: boolean;
  withheld: number[];
  screen: Feature;
}

function acknowledge(state: ViewerState, number: number): void {
  if (state.isAcknowledging) setImmediate(() => void state.screen.handlers.shown!(number));
  else state.withheld.push(number);
}

const receivers: Record<string, (state: ViewerState, payload: Uint8Array) => void> = {
  layout(state, payload) {
    const layout = decodeMessage('layout', payload)!;
    state.received.layouts.push(layout);
    state.canvas = createCanvas(layout.width, layout.height);
  },
  tiles(state, payload) {
    const tiles = decodeTiles(payload)!;
    state.received.tiles.push(tiles);
    tiles.copies.forEach(state.canvas.copy);
    tiles.tiles.forEach(state.canvas.draw);
    acknowledge(state, tiles.number);
  },
  video(state, payload) {
    const video = decodeVideo(payload)!;
    state.received.videos.push(video);
    acknowledge(state, video.number);
  },
  cursor: (state, payload) => void state.received.cursors.push(decodeCursor(payload)!),
};

function receive(state: ViewerState, kind: FrameKindName, payload: Uint8Array): void {
  state.bytes += payload.length;
  receivers[kind]?.(state, payload.slice());
  state.watchers.forEach((watch) => watch());
}

const featureContextOf = (state: ViewerState, platform: Partial<Platform>): FeatureContext => ({
  session: 1,
  operator: { name: 'ann@example.com', address: '192.0.2.1' },
  permissions: new Set(['agent_connect', 'agent_control']),
  platform: platform as Platform,
  policy: defaultPolicy,
  isConfirmed: false,
  showNotice: async () => ({ leave: () => {} }),
  send: (kind, payload) => receive(state, kind, encodePayload(kind, payload)),
  sendEncoded: (kind, payload) => receive(state, kind, payload),
  buffered: () => 0,
  drained: async () => {},
  refuse(kind, message) {
    state.received.refused.push({ kind, message });
    state.watchers.forEach((watch) => watch());
  },
  endMalformed: () => {},
  end: () => {},
  ask: async () => false,
  shield: { whyNot: () => undefined, take: () => {}, announce: () => {} },
  log: () => {},
});

function waitUntil({ watchers }: ViewerState, isTrue: () => boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const limit = setTimeout(() => reject(new Error(`it never came true: ${String(isTrue)}`)), waitTimeoutMs);
  const watch = (): void => {
    if (!isTrue()) return;
    watchers.delete(watch);
    clearTimeout(limit);
    resolve();
  };
  watchers.add(watch);
  watch();
  return promise;
}

function waitUntilQuiet({ watchers }: ViewerState, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let timer = setTimeout(resolve, ms);
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(resolve, ms);
  };
  watchers.add(watch);
  return promise.finally(() => watchers.delete(watch));
}

function createViewerState(platform: Partial<Platform>): ViewerState {
  const state = {
    received: { layouts: [], tiles: [], videos: [], cursors: [], refused: [] },
    watchers: new Set<() => void>(),
    canvas: createCanvas(0, 0),
    bytes: 0,
    isAcknowledging: true,
    withheld: [],
  } as unknown as ViewerState;
  state.screen = screenFeature(featureContextOf(state, platform));
  return state;
}

const isShown = ({ canvas: { pixels } }: ViewerState, truth: ArrayLike<number>): boolean =>
  pixels.length === truth.length && pixels.every((pixel, at) => pixel === truth[at]);

export async function startViewer(
  view: Partial<SessionMessage<'view'>> = {},
  platform: Partial<Platform> = { desktop: openDesktop },
): Promise<Viewer> {
  const state = createViewerState(platform);
  const { received, screen } = state;
  if (Object.keys(view).length > 0) await screen.handlers.view!(view);
  await screen.start!();
  return {
    ...received,
    pixels: () => state.canvas.pixels,
    bytes: () => state.bytes,
    acknowledge(isDone) {
      state.isAcknowledging = isDone;
      if (isDone) state.withheld.splice(0).forEach((number) => acknowledge(state, number));
    },
    look: async (next) => screen.handlers.view!(next),
    resize: async (width, height) => screen.handlers.resize!({ width, height }),
    until: (isTrue) => waitUntil(state, isTrue),
    untilSame: (truth) => waitUntil(state, () => isShown(state, truth)),
    untilRefused: (pattern) =>
      waitUntil(state, () => received.refused.some(({ message }) => pattern.test(message))),
    quiet: (ms) => waitUntilQuiet(state, ms),
    stop: async () => screen.stop(),
    async [Symbol.asyncDispose]() {
      await screen.stop();
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
