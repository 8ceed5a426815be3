/** Reduces a screenshot to a palette of its most frequent colours, without a visible difference. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, in one number. */
  colours: Uint32Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const maxColours = 256;
/** Squared distances up to which colours share a palette entry. The first that gives a small enough palette is used. */
const colourTolerances = [0, 3, 8, 16, 32, 64];

interface Chunk {
  name: string;
  data: Buffer;
}

function chunksOf(file: Buffer): Chunk[] {
  const found: Chunk[] = [];
  for (let at = signature.length; at < file.length;) {
    const length = file.readUInt32BE(at);
    found.push({
      name: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return found;
}

/** The PNG filters: each predicts a byte from those to the left, above, and above left. */
const predictors: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const [toLeft, toUp, toCorner] = [
      Math.abs(up - corner),
      Math.abs(left - corner),
      Math.abs(left + up - 2 * corner),
    ];
    return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
  },
];

function unfiltered(raw: Buffer, row: number, size: number): Buffer {
  const height = raw.length / (row + 1);
  const bytes = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const predict = predictors[raw[y * (row + 1)]!]!;
    const at = (x: number, dy: number): number => (x < 0 || y < dy ? 0 : bytes[(y - dy) * row + x]!);
    for (let x = 0; x < row; x += 1)
      bytes[y * row + x] = raw[y * (row + 1) + 1 + x]! + predict(at(x - size, 0), at(x, 1), at(x - size, 1));
  }
  return bytes;
}

/** Decodes a PNG as the browser writes it: eight bits per channel, with or without transparency. */
function pixelsOf(file: Buffer): Pixels {
  const chunks = chunksOf(file);
  const header = chunks[0]!.data;
  const [width, height, size] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9] === 6 ? 4 : 3];
  const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data));
  const bytes = unfiltered(inflateSync(packed), width * size, size);
  const colours = Uint32Array.from({ length: width * height }, (_, index) =>
    bytes.readUIntBE(index * size, 3),
  );
  return { width, height, colours };
}

const distance = (one: number, other: number): number =>
  ((one >> 16) - (other >> 16)) ** 2 +
  (((one >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
  ((one & 255) - (other & 255)) ** 2;

function byFrequency(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour);
}

/** Skips colours that are similar to one in the palette. Returns undefined if there are still too many. */
function paletteWith(colours: readonly number[], tolerance: number): number[] | undefined {
  const palette: number[] = [];
  for (const colour of colours) {
    if (palette.some((each) => distance(each, colour) <= tolerance)) continue;
    if (palette.length === maxColours) return undefined;
    palette.push(colour);
  }
  return palette;
}

function paletteOf(all: Uint32Array): number[] {
  const colours = byFrequency(all);
  for (const tolerance of colourTolerances) {
    const palette = paletteWith(colours, tolerance);
    if (palette) return palette;
  }
  return colours.slice(0, maxColours);
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map<number, number>();
  const find = (colour: number): number =>
    palette.reduce(
      (best, each, index) => (distance(each, colour) < distance(palette[best]!, colour) ? index : best),
      0,
    );
  return (colour) => {
    const index = known.get(colour) ?? find(colour);
    known.set(colour, index);
    return index;
  };
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

export function compressPng(file: Buffer): Buffer {
  const { width, height, colours } = pixelsOf(file);
  const palette = paletteOf(colours);
  const indexOf = nearestIn(palette);
  const rows = Buffer.alloc((width + 1) * height);
  colours.forEach(
    (colour, index) =>
      (rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = indexOf(colour)),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const listed = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => listed.writeUIntBE(colour, index * 3, 3));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', listed),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
