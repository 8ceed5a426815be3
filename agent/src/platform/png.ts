/** Pictures as PNG: with a palette where few colours are in them, else each row written as differences, so that screens pack well. */
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What a pixel is made of, as the header says it. */
const colours = { true: 2, palette: 3, transparent: 6 } as const;
/** How a row is written: as it is, or each byte as the difference to the pixel on its left. */
const filters = { none: 0, left: 1 } as const;
const largestPalette = 256;

const deflateInThread = promisify(deflate);
/** Less is packed at once: handing it to another thread would take longer. */
const smallBytes = 16 * 1_024;
/** For tiles, which are many and must be quick. */
const quick = { level: 1 };

export interface RgbImage {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  rgb: Uint8Array;
}

/** Pixels as they lie in a larger picture: one number each, blue in its lowest byte; `stride` from line to line. */
export interface PixelArea {
  words: Uint32Array;
  offset: number;
  stride: number;
  width: number;
  height: number;
}

export function encodePng({ width, height, rgb }: RgbImage): Buffer {
  const rows = filtered(rgb, { width, height, size: 3 });
  return file({ width, height, bits: 8, colour: colours.true }, deflateSync(rows, { level: 6 }));
}

/** With transparency; alpha is not multiplied into the colours. */
export function encodeTransparentPng(width: number, height: number, rgba: Uint8Array): Buffer {
  const rows = filtered(rgba, { width, height, size: 4 });
  return file({ width, height, bits: 8, colour: colours.transparent }, deflateSync(rows));
}

/** Exact to the pixel, whatever is in it. */
export const encodeTile = async (area: PixelArea): Promise<Buffer> =>
  (await encodeWithPalette(area)) ?? encodeTrueColour(area);

/** Undefined where there are more colours than a palette holds. */
export async function encodeWithPalette(area: PixelArea): Promise<Buffer | undefined> {
  const indexed = indexPixels(area);
  if (!indexed) return undefined;
  const { width, height } = area;
  const bits = [1, 2, 4].find((each) => 2 ** each >= indexed.palette.length) ?? 8;
  const rows = packBits(indexed.indices, { width, height, bits });
  const palette = Buffer.alloc(indexed.palette.length * 3);
  indexed.palette.forEach((pixel, index) => palette.writeUIntBE(pixel, index * 3, 3));
  return file({ width, height, bits, colour: colours.palette }, await pack(rows), palette);
}

async function encodeTrueColour({ words, offset, stride, width, height }: PixelArea): Promise<Buffer> {
  const rows = Buffer.allocUnsafe((width * 3 + 1) * height);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const from = offset + y * stride;
    rows[to++] = filters.left;
    let left = 0;
    for (let x = 0; x < width; x += 1) {
      const pixel = words[from + x]!;
      rows[to++] = (pixel >> 16) - (left >> 16);
      rows[to++] = (pixel >> 8) - (left >> 8);
      rows[to++] = pixel - left;
      left = pixel;
    }
  }
  return file({ width, height, bits: 8, colour: colours.true }, await pack(rows));
}

/** The place of each pixel in a palette made on the way; the last colour is remembered, as most have it too. */
function indexPixels({
  words,
  offset,
  stride,
  width,
  height,
}: PixelArea): { palette: number[]; indices: Uint8Array } | undefined {
  const places = new Map<number, number>();
  const indices = new Uint8Array(width * height);
  let [to, last, place] = [0, -1, 0];
  for (let y = 0; y < height; y += 1) {
    const from = offset + y * stride;
    for (let x = 0; x < width; x += 1) {
      const pixel = words[from + x]! & 0xffffff;
      if (pixel !== last) {
        const known = places.get(pixel);
        if (known === undefined && places.size === largestPalette) return undefined;
        place = known ?? places.size;
        if (known === undefined) places.set(pixel, place);
        last = pixel;
      }
      indices[to++] = place;
    }
  }
  return { palette: [...places.keys()], indices };
}

/** Rows of indices, several in a byte where they are small. */
function packBits(
  indices: Uint8Array,
  { width, height, bits }: { width: number; height: number; bits: number },
): Buffer {
  const row = Math.ceil((width * bits) / 8);
  const rows = Buffer.alloc((row + 1) * height);
  const perByte = 8 / bits;
  for (let y = 0; y < height; y += 1) {
    const [from, to] = [y * width, y * (row + 1) + 1];
    if (perByte === 1) rows.set(indices.subarray(from, from + width), to);
    else
      for (let x = 0; x < width; x += 1)
        rows[to + Math.floor(x / perByte)]! |= indices[from + x]! << (8 - bits * ((x % perByte) + 1));
  }
  return rows;
}

function filtered(
  pixels: Uint8Array,
  { width, height, size }: { width: number; height: number; size: number },
): Buffer {
  const row = width * size;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y += 1) {
    const [from, to] = [y * row, y * (row + 1)];
    rows[to] = filters.left;
    for (let x = 0; x < row; x += 1)
      rows[to + 1 + x] = pixels[from + x]! - (x < size ? 0 : pixels[from + x - size]!);
  }
  return rows;
}

const pack = async (rows: Buffer): Promise<Buffer> =>
  rows.length < smallBytes ? deflateSync(rows, quick) : deflateInThread(rows, quick);

function file(
  { width, height, bits, colour }: { width: number; height: number; bits: number; colour: number },
  data: Buffer,
  palette?: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colour], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.allocUnsafe(12 + data.length);
  made.writeUInt32BE(data.length, 0);
  made.write(type, 4, 'latin1');
  made.set(data, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}
