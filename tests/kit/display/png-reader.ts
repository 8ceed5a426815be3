/** Reads the PNG pictures that the agent makes, by the book and not by its code. */
import { inflateSync } from 'node:zlib';

export interface ReadPicture {
  width: number;
  height: number;
  /** One number a pixel: alpha, red, green, blue from the highest byte down. */
  pixels: Uint32Array;
}

const channels: Record<number, number> = { 2: 3, 3: 1, 6: 4 };

export function readPng(file: Uint8Array): ReadPicture {
  const bytes = Buffer.from(file);
  let [header, palette] = [Buffer.alloc(0), Buffer.alloc(0)];
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 8, at + 8 + length);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') header = body;
    if (type === 'PLTE') palette = body;
    if (type === 'IDAT') data.push(body);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bits, colour] = [header[8]!, header[9]!];
  const size = channels[colour]!;
  const rows = unfilter(inflateSync(Buffer.concat(data)), Math.ceil((width * bits * size) / 8), size);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels[y * width + x] = pixelOf(rows[y]!, x, { bits, colour, palette });
  return { width, height, pixels };
}

/** Filters 0 and 1 only: as it is, and the difference to the left. */
function unfilter(raw: Buffer, line: number, size: number): Buffer[] {
  const rows: Buffer[] = [];
  for (let at = 0; at < raw.length; at += line + 1) {
    const row = Buffer.from(raw.subarray(at + 1, at + 1 + line));
    if (raw[at] === 1) for (let x = size; x < line; x += 1) row[x]! += row[x - size]!;
    else if (raw[at] !== 0) throw new Error(`a row with the filter ${raw[at]}`);
    rows.push(row);
  }
  return rows;
}

function pixelOf(
  row: Buffer,
  x: number,
  { bits, colour, palette }: { bits: number; colour: number; palette: Buffer },
): number {
  if (colour === 3) {
    const index = (row[Math.floor((x * bits) / 8)]! >> (8 - bits - ((x * bits) % 8))) & (2 ** bits - 1);
    return (0xff000000 | palette.readUIntBE(index * 3, 3)) >>> 0;
  }
  if (colour === 2) return (0xff000000 | row.readUIntBE(x * 3, 3)) >>> 0;
  return ((row[x * 4 + 3]! << 24) | row.readUIntBE(x * 4, 3)) >>> 0;
}
