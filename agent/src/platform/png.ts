/** Pictures as PNG: true colour, each row written as differences, so that screens pack well. */
import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits a channel; red, green, blue; the usual compression, filters and order. */
const trueColour = [8, 2, 0, 0, 0];
/** The filter that writes each byte as the difference to the pixel on its left. */
const leftFilter = 1;

export interface Pixels {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  rgb: Uint8Array;
}

export function encodePng({ width, height, rgb }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(trueColour, 8);
  const data = deflateSync(filtered(width, height, rgb), { level: 6 });
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function filtered(width: number, height: number, rgb: Uint8Array): Buffer {
  const row = width * 3;
  const rows = Buffer.alloc((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * row, y * (row + 1)];
    rows[to] = leftFilter;
    for (let x = 0; x < row; x++) rows[to + 1 + x] = rgb[from + x]! - (x < 3 ? 0 : rgb[from + x - 3]!);
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
