/** Encodes each changed block as a JPEG tile, for browsers that cannot encode or decode video. */
import type { Tile } from '@drawbridge/contract/session/screen-frames';
import type { PictureEncoder, PictureEncoderOptions } from './picture-encoder.ts';
import type { SharedPicture } from './screen-share.ts';

const blockSize = 256;

interface Block {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function toBlocks(width: number, height: number): Block[] {
  const blocks: Block[] = [];
  for (let y = 0; y < height; y += blockSize)
    for (let x = 0; x < width; x += blockSize)
      blocks.push({ x, y, width: Math.min(blockSize, width - x), height: Math.min(blockSize, height - y) });
  return blocks;
}

/** Whether two pictures with `stride` pixels per row differ within the block. Each number is one pixel. */
export function differs(
  { x, y, width, height }: Block,
  stride: number,
  before: Uint32Array,
  now: Uint32Array,
): boolean {
  for (let row = y; row < y + height; row += 1) {
    const start = row * stride + x;
    for (let at = start; at < start + width; at += 1) if (before[at] !== now[at]) return true;
  }
  return false;
}

export function createTilesEncoder(options: PictureEncoderOptions): PictureEncoder {
  const { width, height, onTiles, onFree, onFailure } = options;
  const context = new OffscreenCanvas(width, height).getContext('2d', {
    alpha: false,
    willReadFrequently: true,
  })!;
  const blocks = toBlocks(width, height);
  let before: Uint32Array | undefined;
  let [isBusy, isOver] = [false, false];

  const changedBlocks = (whole: boolean): Block[] => {
    const { data } = context.getImageData(0, 0, width, height);
    const now = new Uint32Array(data.buffer);
    const known = whole ? undefined : before;
    before = now;
    return known ? blocks.filter((block) => differs(block, width, known, now)) : blocks;
  };
  const work = async ({ source }: SharedPicture, whole: boolean): Promise<void> => {
    context.drawImage(source, 0, 0, width, height);
    const tiles: Tile[] = [];
    for (const block of changedBlocks(whole))
      tiles.push(await encodeTile(context.canvas, block, options.jpeg()));
    if (!isOver && tiles.length > 0) onTiles(tiles);
  };

  return {
    codec: 'tiles',
    isBusy: () => isBusy,
    encode(picture, whole) {
      isBusy = true;
      void work(picture, whole)
        .catch(onFailure)
        .finally(() => {
          isBusy = false;
          if (!isOver) onFree();
        });
    },
    close: () => (isOver = true),
  };
}

async function encodeTile(
  from: OffscreenCanvas,
  { x, y, width, height }: Block,
  quality: number,
): Promise<Tile> {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d', { alpha: false })!.drawImage(from, x, y, width, height, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality });
  return { x, y, image: new Uint8Array(await blob.arrayBuffer()) };
}
