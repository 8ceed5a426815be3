/**
 * Makes a picture of a page smaller with a palette of its most frequent colours, which looks the same as the
 * original. The file is written by hand because pngjs cannot write palettes.
 */
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';

interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each, in one number. */
  colours: Uint32Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const most = 256;
/** Colours that are nearer to each other share a place in the palette, as the squared distance; more of them where there are many. */
const colourTolerances = [0, 3, 8, 16, 32, 64];

function pixelsOf(file: Buffer): Pixels {
  const { width, height, data } = PNG.sync.read(file);
  const colours = Uint32Array.from({ length: width * height }, (_, index) => data.readUIntBE(index * 4, 3));
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

/** Leaves out what is nearly there already; undefined where even so there are too many. */
function paletteWith(colours: readonly number[], near: number): number[] | undefined {
  const palette: number[] = [];
  for (const colour of colours) {
    if (palette.some((each) => distance(each, colour) <= near)) continue;
    if (palette.length === most) return undefined;
    palette.push(colour);
  }
  return palette;
}

function paletteOf(all: Uint32Array): number[] {
  const colours = byFrequency(all);
  for (const near of colourTolerances) {
    const palette = paletteWith(colours, near);
    if (palette) return palette;
  }
  return colours.slice(0, most);
}

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map<number, number>();
  const find = (colour: number): number =>
    palette.reduce(
      (best, each, index) => (distance(each, colour) < distance(palette[best]!, colour) ? index : best),
      0,
    );
  return (colour) => {
    const place = known.get(colour) ?? find(colour);
    known.set(colour, place);
    return place;
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
  const place = nearestIn(palette);
  const rows = Buffer.alloc((width + 1) * height);
  colours.forEach(
    (colour, index) => (rows[Math.floor(index / width) * (width + 1) + 1 + (index % width)] = place(colour)),
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
