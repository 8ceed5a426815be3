/** What makes frames of pictures for one operator: one way with video, another without. */
import type { Tile } from '@drawbridge/contract/session/screen-frames';
import type { SharedPicture } from './screen-share.ts';

export interface PictureEncoder {
  codec: 'vp8' | 'tiles';
  /** It still works on what it was given before. */
  isBusy(): boolean;
  /** `whole`: as if nothing had been sent before. */
  encode(picture: SharedPicture, whole: boolean): void;
  close(): void;
}

export interface PictureEncoderOptions {
  width: number;
  height: number;
  /** What came of a picture: as much as it takes, or nothing. */
  onVideo(data: Uint8Array, key: boolean): void;
  onTiles(tiles: readonly Tile[]): void;
  /** There is room for the next picture. */
  onFree(): void;
  /** It can not go on. */
  onFailure(): void;
  /** Bits in a second, and the quality of JPEG from 0 to 1. */
  bitrate(): number;
  jpeg(): number;
  /** Milliseconds. */
  now(): number;
}
