/** Encodes PNG images: with a palette if there are few colours, otherwise with a filter that makes screens compress well. */
import { promisify } from 'node:util';
import { constants, crc32, deflate, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The colour types of the PNG header. */
const colourTypes = { true: 2, palette: 3, transparent: 6 } as const;
/** The filter of a row: none, or each byte as the difference to the pixel on its left. */
const filters = { none: 0, left: 1 } as const;
const maxPaletteSize = 256;

const deflateInThread = promisify(deflate);
/** Smaller data is compressed in this thread, because passing it to another one would take longer. */
const smallBytes = 16 * 1_024;
/** For tiles, which are many and must be encoded quickly. */
const fastLevel = { level: 1 };
/** Pixels with noise, such as photographs, repeat nothing that could be found: not to search takes less than half of the time. */
const noSearch = { level: 1, strategy: constants.Z_RLE };
/** Noise is recognized by a sample that does not shrink to this share. */
const [sampleBytes, noiseShare] = [4 * 1_024, 3 / 4];

export interface RgbImage {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  rgb: Uint8Array;
}

/** A part of a larger picture: one word for each pixel, blue in the lowest byte; `stride` is the distance from row to row. */
export interface PixelArea {
  words: Uint32Array;
  offset: number;
  stride: number;
  width: number;
  height: number;
}

export function encodePng({ width, height, rgb }: RgbImage): Buffer {
  const rows = filterRows(rgb, { width, height, size: 3 });
  return assemble({ width, height, bits: 8, colourType: colourTypes.true }, deflateSync(rows, { level: 6 }));
}

/** Encodes with transparency; the colours must not be premultiplied. */
export function encodeTransparentPng(width: number, height: number, rgba: Uint8Array): Buffer {
  const rows = filterRows(rgba, { width, height, size: 4 });
  return assemble({ width, height, bits: 8, colourType: colourTypes.transparent }, deflateSync(rows));
}

/** Encodes any pixels losslessly. */
export const encodeTile = async (area: PixelArea): Promise<Buffer> =>
  (await encodeWithPalette(area)) ?? encodeTrueColour(area);

/** Returns undefined if there are more colours than a palette holds. */
export async function encodeWithPalette(area: PixelArea): Promise<Buffer | undefined> {
  const indexed = indexPixels(area);
  if (!indexed) return undefined;
  const { width, height } = area;
  const bits = [1, 2, 4].find((each) => 2 ** each >= indexed.palette.length) ?? 8;
  const rows = packBits(indexed.indices, { width, height, bits });
  const palette = Buffer.alloc(indexed.palette.length * 3);
  indexed.palette.forEach((pixel, index) => palette.writeUIntBE(pixel, index * 3, 3));
  return assemble({ width, height, bits, colourType: colourTypes.palette }, await compress(rows), palette);
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
  return assemble({ width, height, bits: 8, colourType: colourTypes.true }, await compressPixels(rows));
}

/** The table of colours has this many bits of a hash as its index. */
const tableBits = 12;
const hash = (pixel: number): number => Math.imul(pixel, 0x9e37_79b1) >>> (32 - tableBits);
const colourMask = 0xff_ff_ff;

/** Builds a palette and the index of each pixel. A table of colours in front of the map is several times as fast. */
function indexPixels({
  words,
  offset,
  stride,
  width,
  height,
}: PixelArea): { palette: number[]; indices: Uint8Array } | undefined {
  const palette = new Map<number, number>();
  const indices = new Uint8Array(width * height);
  /** Colours, with their index in the highest byte. */
  const table = new Int32Array(2 ** tableBits);
  // An empty place must hold a colour that belongs elsewhere; 0 belongs to the first place.
  table[0] = 1;
  for (let y = 0; y < height; y += 1) {
    const row = words.subarray(offset + y * stride, offset + y * stride + width);
    const found = indices.subarray(y * width, (y + 1) * width);
    for (let x = indexKnown(row, found, table, 0); x < width; x = indexKnown(row, found, table, x)) {
      const pixel = row[x]! & colourMask;
      const index = palette.get(pixel) ?? palette.size;
      if (index === maxPaletteSize) return undefined;
      palette.set(pixel, index);
      table[hash(pixel)] = (index << 24) | pixel;
    }
  }
  return { palette: [...palette.keys()], indices };
}

/** Returns where it stopped: at a colour that is not in the table. It calls nothing, which makes it three times as fast. */
function indexKnown(row: Uint32Array, indices: Uint8Array, table: Int32Array, from: number): number {
  for (let x = from; x < row.length; x += 1) {
    const pixel = row[x]! & colourMask;
    const entry = table[hash(pixel)]!;
    if (((entry ^ pixel) & colourMask) !== 0) return x;
    indices[x] = entry >>> 24;
  }
  return row.length;
}

/** Packs rows of indices, several into a byte if they are small. */
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

function filterRows(
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

const compress = async (rows: Buffer): Promise<Buffer> =>
  rows.length < smallBytes ? deflateSync(rows, fastLevel) : deflateInThread(rows, fastLevel);

const compressPixels = (rows: Buffer): Promise<Buffer> | Buffer =>
  rows.length < smallBytes
    ? deflateSync(rows, fastLevel)
    : deflateInThread(rows, isNoise(rows) ? noSearch : fastLevel);

/** Judges a part in the middle. */
function isNoise(rows: Buffer): boolean {
  const from = (rows.length - sampleBytes) >> 1;
  return deflateSync(rows.subarray(from, from + sampleBytes), fastLevel).length > sampleBytes * noiseShare;
}

function assemble(
  { width, height, bits, colourType }: { width: number; height: number; bits: number; colourType: number },
  data: Buffer,
  palette?: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colourType], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...(palette ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
