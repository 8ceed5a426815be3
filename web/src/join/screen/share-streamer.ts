/** Shows the shared screen to one operator: woken by new pictures, paced by what is acknowledged, nothing is ever queued. */
import type { Tile } from '@drawbridge/contract/session/screen-frames';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { DeviceSession } from '../../session/device.ts';
import type { PictureEncoder, PictureEncoderOptions } from './picture-encoder.ts';
import { createRateControl } from './rate-control.ts';
import type { SharedPicture, ScreenShare } from './screen-share.ts';
import { createTilesEncoder } from './tiles-encoder.ts';
import { createVp8Encoder } from './vp8-encoder.ts';

export interface ShareStreamer {
  /** What the operator wants to see; nothing is sent before the first call. */
  setView(view: SessionMessage<'view'>): void;
  shown(number: number): void;
  stop(): void;
}

export interface ShareStreamerOptions {
  share: ScreenShare;
  send: DeviceSession['send'];
  /** Whether this browser can encode video, and as far as is known the operator's can decode it. */
  video: boolean;
  name: string;
  now(): number;
}

/** A moving picture, and one in which nothing happens: so long from one to the next. */
const [activeIntervalMs, idleIntervalMs] = [30, 100];
/** Video of less than this, so often in a row, is one in which nothing happens. */
const [idleFrameBytes, idleFrames] = [400, 8];
/** A picture that does not change any more is sent a few times again: video becomes sharp by that. */
const maxRefinements = 4;
/** A frame of tiles is not made longer than this. */
const maxFrameBytes = 1_024 * 1_024;

export function startShareStreamer({ share, send, name, now, ...can }: ShareStreamerOptions): ShareStreamer {
  const rate = createRateControl();
  let encodes = can.video;
  let video = encodes;
  let [isFresh, isWhole, isPaused] = [true, true, true];
  let hasView = false;
  let [number, refinements, idleCount, encodedAt] = [0, 0, 0, -Infinity];
  let encoder: (PictureEncoder & { width: number; height: number }) | undefined;

  const sent = (): void => rate.sent(number, now());
  const options = (width: number, height: number): PictureEncoderOptions => ({
    width,
    height,
    bitrate: rate.bitrate,
    jpeg: rate.jpeg,
    now,
    onVideo(data, key) {
      idleCount = data.length < idleFrameBytes ? idleCount + 1 : 0;
      send('video', { number: (number += 1), key, boxes: [{ x: 0, y: 0, width, height }], data });
      sent();
    },
    onTiles(tiles) {
      for (const part of toFrames(tiles)) {
        send('tiles', { number: (number += 1), copies: [], tiles: part });
        sent();
      }
    },
    onFree: () => encodeNext(),
    onFailure() {
      [encodes, video] = [false, false];
      restart();
    },
  });
  const restart = (): void => {
    encoder?.close();
    encoder = undefined;
  };
  const encoderFor = ({ width, height }: SharedPicture): PictureEncoder => {
    if (encoder?.width === width && encoder.height === height) return encoder;
    encoder?.close();
    const made = (video ? createVp8Encoder : createTilesEncoder)(options(width, height));
    encoder = { ...made, width, height };
    isWhole = true;
    rate.restart();
    send('layout', layoutOf(name, width, height, made.codec));
    return encoder;
  };
  const isDue = (): boolean =>
    now() - encodedAt >= (idleCount > idleFrames ? idleIntervalMs : activeIntervalMs);
  const encodeNext = (): void => {
    const { picture } = share;
    if (!picture || isPaused || !(isFresh || isWhole) || !rate.isOpen() || !isDue()) return;
    const chosen = encoderFor(picture);
    if (chosen.isBusy()) return;
    encodedAt = now();
    chosen.encode(picture, isWhole);
    [isFresh, isWhole] = [false, false];
  };
  const unsubscribes = [
    share.onPicture(() => {
      [isFresh, refinements] = [true, 0];
      encodeNext();
    }),
    share.onTick(() => {
      if (!isFresh && refinements < maxRefinements && rate.inFlight() === 0)
        [isFresh, refinements] = [true, refinements + 1];
      encodeNext();
    }),
  ];

  return {
    setView({ quality, paused, video: decodes, fresh }) {
      if (quality) rate.setQuality(quality);
      isPaused = paused ?? (isPaused && hasView);
      hasView = true;
      if (decodes !== undefined && (decodes && encodes) !== video) {
        video = decodes && encodes;
        restart();
      }
      if (fresh) {
        isWhole = true;
        rate.restart();
      }
      encodeNext();
    },
    shown(shown) {
      rate.shown(shown, now());
      encodeNext();
    },
    stop() {
      unsubscribes.forEach((each) => each());
      restart();
    },
  };
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

/** As few frames as carry them. */
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
