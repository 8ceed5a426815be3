/** Limits for pictures from a device: an image of a few kilobytes can claim a size that would use all memory. */
import { readImageInfo } from '@drawbridge/contract/images';
import type { Tile, VideoUpdate } from '@drawbridge/contract/session/screen-frames';

export interface PixelSize {
  width: number;
  height: number;
}

/** More than eight monitors of 3840 × 2160. */
const mostScreenPixels = 72 * 1_000_000;
const mostShapeSide = 512;
/** Encoders may round the screen size up to a multiple of this. */
const block = 16;

const pixelsOf = ({ width, height }: PixelSize): number => width * height;

export const isScreenFit = (screen: PixelSize): boolean => pixelsOf(screen) <= mostScreenPixels;

/** Each tile must be a PNG or JPEG no larger than the screen; all tiles together may cover it twice. */
export function areTilesFit(tiles: readonly Pick<Tile, 'image'>[], screen: PixelSize): boolean {
  let pixels = 0;
  for (const { image } of tiles) {
    const picture = readImageInfo(image);
    if (!picture || picture.type === 'image/webp') return false;
    if (picture.width > screen.width || picture.height > screen.height) return false;
    pixels += pixelsOf(picture);
  }
  return pixels <= 2 * pixelsOf(screen);
}

/** Checks the size in VP8 key frames. The data itself says whether it is a key frame, not the message. */
export function isVideoFit({ data, half }: Pick<VideoUpdate, 'data' | 'half'>, screen: PixelSize): boolean {
  if (data.length === 0 || (data[0]! & 1) === 1) return true;
  if (data.length < 10) return false;
  const scale = half ? 2 : 1;
  const side = (at: number): number => ((data[at]! | (data[at + 1]! << 8)) & 0x3fff) * scale;
  return side(6) <= screen.width + block * scale && side(8) <= screen.height + block * scale;
}

export function isShapeFit(png: Uint8Array): boolean {
  const picture = readImageInfo(png);
  return picture?.type === 'image/png' && Math.max(picture.width, picture.height) <= mostShapeSide;
}
