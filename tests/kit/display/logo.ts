/** Small pictures as people would choose them for a logo: real ones, made here. */
import { crc32, deflateSync } from 'node:zlib';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

/** A grey PNG of that size. */
export function pngOf(width: number, height: number, grey = 0x80): Buffer<ArrayBuffer> {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])]);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The bytes that an operation is sent where it takes some: a logo must be a picture. */
export const bytesFor = (operation: string, file: string): Buffer<ArrayBuffer> =>
  operation === 'branding/logo' ? pngOf(4, 4) : Buffer.from(file);
