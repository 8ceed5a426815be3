/** Limits for pictures from a device: an image of a few kilobytes can claim a size that would use all memory. */
import { readImageInfo } from '@drawbridge/contract/images';
import type { Tile, VideoUpdate } from '@drawbridge/contract/session/screen-frames';
import { readH264Sizes } from './h264-size.ts';

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

/** Checks the sizes in key frames. The data itself says whether it is a key frame, not the message. */
export function isVideoFit(
  { data, half, h264 }: Pick<VideoUpdate, 'data' | 'half' | 'h264'>,
  screen: PixelSize,
): boolean {
  const scale = half ? 2 : 1;
  const sizes = h264 ? readH264Sizes(data) : readVp8Sizes(data);
  return (
    sizes !== undefined &&
    sizes.every(
      ({ width, height }) =>
        width * scale <= screen.width + block * scale && height * scale <= screen.height + block * scale,
    )
  );
}

/** Only key frames have a size. Returns undefined if it is cut off. */
function readVp8Sizes(data: Uint8Array): PixelSize[] | undefined {
  if (data.length === 0 || (data[0]! & 1) === 1) return [];
  if (data.length < 10) return undefined;
  const side = (at: number): number => (data[at]! | (data[at + 1]! << 8)) & 0x3fff;
  return [{ width: side(6), height: side(8) }];
}

export function isShapeFit(png: Uint8Array): boolean {
  const picture = readImageInfo(png);
  return picture?.type === 'image/png' && Math.max(picture.width, picture.height) <= mostShapeSide;
}
