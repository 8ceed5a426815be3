/** Screen frames: video, tiles with copied areas, and the cursor. */
import { safeDecoder, readUint16s, writeUint16s, dataViewOf, type Bytes } from './binary.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Content that moved: the box is its old position, `toX` and `toY` the new position of its corner. */
export interface CopyRect extends Box {
  toX: number;
  toY: number;
}

/** A rectangle of the screen as a lossless or high-quality image. */
export interface Tile {
  x: number;
  y: number;
  image: Uint8Array;
}

/** An encoded video frame. Only the areas within the boxes are drawn. */
export interface VideoUpdate {
  number: number;
  key: boolean;
  boxes: readonly Box[];
  /** The frame has half the width and height of the screen; the boxes are those of the screen. Only if the view asks for it. */
  half?: true;
  /** The data is H.264 with start codes (Annex B) instead of VP8. Only if the view asks for it. */
  h264?: true;
  data: Uint8Array;
}

export interface TileUpdate {
  number: number;
  /** Applied before the tiles, in this order. */
  copies: readonly CopyRect[];
  /** The first bytes distinguish PNG from JPEG. */
  tiles: readonly Tile[];
}

export interface CursorUpdate {
  /** Position of the device's cursor. It is not drawn over the operator's own. */
  x: number;
  y: number;
  /** Absent if the shape did not change. An empty image hides the cursor. */
  shape?: { width: number; height: number; hotX: number; hotY: number; png: Uint8Array };
}

const boxBytes = 8;
const copyBytes = 12;
const tileBytes = 8;
/** The bits in the flags of a video frame. */
const [keyFlag, halfFlag, h264Flag] = [1, 2, 4];

export function encodeVideo({ number, key, boxes, half, h264, data }: VideoUpdate): Bytes {
  const bytes = new Uint8Array(7 + boxes.length * boxBytes + data.length);
  const view = dataViewOf(bytes);
  view.setUint32(0, number);
  view.setUint8(4, (key ? keyFlag : 0) | (half ? halfFlag : 0) | (h264 ? h264Flag : 0));
  view.setUint16(5, boxes.length);
  let at = 7;
  for (const { x, y, width, height } of boxes) at = writeUint16s(view, at, [x, y, width, height]);
  bytes.set(data, at);
  return bytes;
}

export const decodeVideo = safeDecoder((view, bytes): VideoUpdate => {
  const flags = view.getUint8(4);
  const count = view.getUint16(5);
  const boxes = Array.from({ length: count }, (_, index): Box => {
    const [x, y, width, height] = readUint16s(view, 7 + index * boxBytes, 4) as [
      number,
      number,
      number,
      number,
    ];
    return { x, y, width, height };
  });
  return {
    number: view.getUint32(0),
    key: (flags & keyFlag) !== 0,
    boxes,
    ...((flags & halfFlag) !== 0 && { half: true }),
    ...((flags & h264Flag) !== 0 && { h264: true }),
    data: bytes.subarray(7 + count * boxBytes),
  };
});

export function encodeTiles({ number, copies, tiles }: TileUpdate): Bytes {
  const images = tiles.reduce((sum, { image }) => sum + tileBytes + image.length, 0);
  const bytes = new Uint8Array(8 + copies.length * copyBytes + images);
  const view = dataViewOf(bytes);
  view.setUint32(0, number);
  let at = writeUint16s(view, 4, [copies.length, tiles.length]);
  for (const { x, y, width, height, toX, toY } of copies)
    at = writeUint16s(view, at, [x, y, width, height, toX, toY]);
  for (const { x, y, image } of tiles) {
    at = writeUint16s(view, at, [x, y]);
    view.setUint32(at, image.length);
    bytes.set(image, at + 4);
    at += 4 + image.length;
  }
  return bytes;
}

export const decodeTiles = safeDecoder((view, bytes): TileUpdate | undefined => {
  const [copyCount, tileCount] = readUint16s(view, 4, 2) as [number, number];
  let at = 8;
  const copies: CopyRect[] = [];
  for (let index = 0; index < copyCount; index += 1, at += copyBytes) {
    const [x, y, width, height, toX, toY] = readUint16s(view, at, 6) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    copies.push({ x, y, width, height, toX, toY });
  }
  const tiles: Tile[] = [];
  for (let index = 0; index < tileCount; index += 1) {
    const length = view.getUint32(at + 4);
    const image = bytes.subarray(at + tileBytes, at + tileBytes + length);
    if (image.length !== length) return undefined;
    tiles.push({ x: view.getUint16(at), y: view.getUint16(at + 2), image });
    at += tileBytes + length;
  }
  return { number: view.getUint32(0), copies, tiles };
});

export function encodeCursor({ x, y, shape }: CursorUpdate): Bytes {
  const bytes = new Uint8Array(shape ? 12 + shape.png.length : 4);
  const view = dataViewOf(bytes);
  const at = writeUint16s(view, 0, [x, y]);
  if (!shape) return bytes;
  writeUint16s(view, at, [shape.width, shape.height, shape.hotX, shape.hotY]);
  bytes.set(shape.png, 12);
  return bytes;
}

export const decodeCursor = safeDecoder((view, bytes): CursorUpdate => {
  const [x, y] = readUint16s(view, 0, 2) as [number, number];
  if (bytes.length === 4) return { x, y };
  const [width, height, hotX, hotY] = readUint16s(view, 4, 4) as [number, number, number, number];
  return { x, y, shape: { width, height, hotX, hotY, png: bytes.subarray(12) } };
});
