/** The interface of the encoders that turn pictures into frames for one operator: video or tiles. */
import type { Tile } from '@drawbridge/contract/session/screen-frames';
import type { SharedPicture } from './screen-share.ts';

export interface PictureEncoder {
  codec: 'vp8' | 'tiles';
  /** Whether it still encodes earlier pictures. */
  isBusy(): boolean;
  /** `whole`: does not depend on earlier pictures. */
  encode(picture: SharedPicture, whole: boolean): void;
  close(): void;
}

export interface PictureEncoderOptions {
  width: number;
  height: number;
  /** Receives the result of a picture, which may be nothing. */
  onVideo(data: Uint8Array, key: boolean): void;
  onTiles(tiles: readonly Tile[]): void;
  /** The encoder can take the next picture. */
  onFree(): void;
  /** The encoder cannot continue. */
  onFailure(): void;
  /** Bits per second. */
  bitrate(): number;
  /** The quality of JPEG, from 0 to 1. */
  jpeg(): number;
  /** Milliseconds. */
  now(): number;
}
