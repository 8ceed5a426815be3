/** Streams the shared screen to one operator. Acknowledgements limit the rate, and no picture is ever queued. */
import type { Tile } from '@drawbridge/contract/session/screen-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { DeviceSession } from '../accept-session.ts';
import type { PictureEncoder, PictureEncoderOptions } from './picture-encoder.ts';
import { createRateControl, type RateControl } from './rate-control.ts';
import type { SharedPicture, ScreenShare } from './screen-share.ts';
import { createTilesEncoder } from './tiles-encoder.ts';
import { createVp8Encoder } from './vp8-encoder.ts';

export interface ShareStreamer {
  /** Applies the operator's view settings; nothing is sent before the first call. */
  setView(view: SessionMessage<'view'>): void;
  shown(number: number): void;
  stop(): void;
}

export interface ShareStreamerOptions {
  share: ScreenShare;
  send: DeviceSession['send'];
  /** Whether this browser can encode video and the operator's browser is not known to be unable to decode it. */
  video: boolean;
  name: string;
  now(): number;
}

/** The minimum time between two pictures, while the screen changes and while it does not. */
const [activeIntervalMs, idleIntervalMs] = [30, 100];
/** The screen counts as idle after more than this many video frames in a row below this size. */
const [idleFrameBytes, idleFrames] = [400, 8];
/** A picture that does not change is encoded a few more times, which makes the video sharp. */
const maxRefinements = 4;
/** The limit for the tiles of one frame. */
const maxFrameBytes = 1_024 * 1_024;

interface StreamerState {
  options: ShareStreamerOptions;
  rate: RateControl;
  encoder: (PictureEncoder & { width: number; height: number }) | undefined;
  canEncode: boolean;
  /** Whether video is used now; otherwise tiles. */
  video: boolean;
  /** There is a picture that was not sent yet. */
  isFresh: boolean;
  /** The next picture does not depend on earlier ones. */
  isWhole: boolean;
  isPaused: boolean;
  hasView: boolean;
  /** Of the last frame that was sent. */
  number: number;
  refinements: number;
  idleCount: number;
  encodedAt: number;
}

export function startShareStreamer(options: ShareStreamerOptions): ShareStreamer {
  const { share, now, video } = options;
  const state: StreamerState = {
    options,
    rate: createRateControl(),
    encoder: undefined,
    canEncode: video,
    video,
    isFresh: true,
    isWhole: true,
    isPaused: true,
    hasView: false,
    number: 0,
    refinements: 0,
    idleCount: 0,
    encodedAt: -Infinity,
  };
  const unsubscribes = [share.onPicture(() => onPicture(state)), share.onTick(() => onTick(state))];
  return {
    setView: (view) => setView(state, view),
    shown(number) {
      state.rate.shown(number, now());
      encodeNext(state);
    },
    stop() {
      unsubscribes.forEach((each) => each());
      closeEncoder(state);
    },
  };
}

function onPicture(state: StreamerState): void {
  state.isFresh = true;
  state.refinements = 0;
  encodeNext(state);
}

function onTick(state: StreamerState): void {
  if (!state.isFresh && state.refinements < maxRefinements && state.rate.inFlight() === 0) {
    state.isFresh = true;
    state.refinements += 1;
  }
  encodeNext(state);
}

function setView(state: StreamerState, view: SessionMessage<'view'>): void {
  const { quality, paused, video: canDecode, fresh } = view;
  if (quality) state.rate.setQuality(quality);
  state.isPaused = paused ?? (state.isPaused && state.hasView);
  state.hasView = true;
  if (canDecode !== undefined && (canDecode && state.canEncode) !== state.video) {
    state.video = canDecode && state.canEncode;
    closeEncoder(state);
  }
  if (fresh) {
    state.isWhole = true;
    state.rate.restart();
  }
  encodeNext(state);
}

function encodeNext(state: StreamerState): void {
  const { options, isFresh, isWhole, isPaused, rate } = state;
  const { picture } = options.share;
  if (!picture || isPaused || !(isFresh || isWhole) || !rate.isOpen() || !isDue(state)) return;
  const encoder = encoderFor(state, picture);
  if (encoder.isBusy()) return;
  state.encodedAt = options.now();
  encoder.encode(picture, state.isWhole);
  state.isFresh = false;
  state.isWhole = false;
}

const isDue = ({ options, encodedAt, idleCount }: StreamerState): boolean =>
  options.now() - encodedAt >= (idleCount > idleFrames ? idleIntervalMs : activeIntervalMs);

function encoderFor(state: StreamerState, { width, height }: SharedPicture): PictureEncoder {
  const { encoder, options, rate } = state;
  if (encoder?.width === width && encoder.height === height) return encoder;
  encoder?.close();
  const createEncoder = state.video ? createVp8Encoder : createTilesEncoder;
  const made = createEncoder(encoderOptions(state, width, height));
  state.encoder = { ...made, width, height };
  state.isWhole = true;
  rate.restart();
  options.send('layout', layoutOf(options.name, width, height, made.codec));
  return state.encoder;
}

const encoderOptions = (state: StreamerState, width: number, height: number): PictureEncoderOptions => ({
  width,
  height,
  bitrate: state.rate.bitrate,
  jpeg: state.rate.jpeg,
  now: state.options.now,
  onVideo(data, key) {
    state.idleCount = data.length < idleFrameBytes ? state.idleCount + 1 : 0;
    const boxes = [{ x: 0, y: 0, width, height }];
    state.options.send('video', { number: nextNumber(state), key, boxes, data });
    state.rate.sent(state.number, state.options.now());
  },
  onTiles(tiles) {
    for (const part of toFrames(tiles)) {
      state.options.send('tiles', { number: nextNumber(state), copies: [], tiles: part });
      state.rate.sent(state.number, state.options.now());
    }
  },
  onFree: () => encodeNext(state),
  onFailure() {
    state.canEncode = false;
    state.video = false;
    closeEncoder(state);
  },
});

const nextNumber = (state: StreamerState): number => (state.number += 1);

function closeEncoder(state: StreamerState): void {
  state.encoder?.close();
  state.encoder = undefined;
}

const layoutOf = (
  name: string,
  width: number,
  height: number,
  codec: PictureEncoder['codec'],
): SessionMessage<'layout'> => ({
  width,
  height,
  codec,
  current: 0,
  sizes: [],
  monitors: [{ name, x: 0, y: 0, width, height, primary: true }],
});

/** Distributes the tiles to as few frames as possible. */
function toFrames(tiles: readonly Tile[]): Tile[][] {
  const frames: Tile[][] = [];
  let bytes = Infinity;
  for (const tile of tiles) {
    if (bytes + tile.image.length > maxFrameBytes) {
      frames.push([]);
      bytes = 0;
    }
    frames.at(-1)!.push(tile);
    bytes += tile.image.length;
  }
  return frames;
}
