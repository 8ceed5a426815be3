/** Encodes boxes of the picture as lossless PNG tiles. */
import type { Box, Tile } from '@drawbridge/contract/session/screen-frames';
import { encodeTile, encodeWithPalette, type PixelArea } from '../platform/png.ts';
import { splitBox } from './boxes.ts';
import type { Framebuffer } from './framebuffer.ts';

/** Agent and operator process tiles of this size in parallel, and none exceeds the size limit of a frame. */
const maxPixels = 256 * 1_024;

const areaIn = ({ words, width: stride }: Framebuffer, { x, y, width, height }: Box): PixelArea => ({
  words,
  offset: y * stride + x,
  stride,
  width,
  height,
});

export const exactTiles = (framebuffer: Framebuffer, boxes: readonly Box[]): Promise<Tile[]> =>
  Promise.all(
    boxes
      .flatMap((box) => splitBox(box, maxPixels))
      .map(async (box) => ({ x: box.x, y: box.y, image: await encodeTile(areaIn(framebuffer, box)) })),
  );

/** Returns undefined if a piece has more colours than a palette holds. */
export async function paletteTiles(framebuffer: Framebuffer, box: Box): Promise<Tile[] | undefined> {
  const tiles: Tile[] = [];
  for (const piece of splitBox(box, maxPixels)) {
    const image = await encodeWithPalette(areaIn(framebuffer, piece));
    if (!image) return undefined;
    tiles.push({ x: piece.x, y: piece.y, image });
  }
  return tiles;
}
