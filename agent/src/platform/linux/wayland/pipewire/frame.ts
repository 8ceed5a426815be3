/** Reads what a PipeWire buffer contains: pixels, and the pointer beside them. */
import type { CursorShape } from '../../../desktop.ts';
import type { Koffi } from '../../../native.ts';
import { metas } from './pods.ts';

export interface FrameCursor {
  x: number;
  y: number;
  /** Absent if it is as before. */
  shape?: CursorShape;
}

const [metaBytes, cursorBytes, bitmapBytes] = [16, 28, 20];
const rgba = 11;
const corrupted = 1;
const maxCursorSide = 1_024;

/** A buffer of PipeWire; the addresses are those of its structures. */
export interface FrameBuffer {
  /** Where the pixels are; undefined if the buffer has none. */
  pixels: unknown;
  /** Bytes from row to row. */
  stride: number;
  cursor: FrameCursor | undefined;
}

export function readBuffer(koffi: Koffi, buffer: unknown): FrameBuffer {
  const spaBuffer = koffi.decode(buffer, 'void*') as unknown;
  const datas = koffi.decode(spaBuffer, 16, 'void*') as unknown;
  const chunk = Buffer.from(koffi.view(koffi.decode(datas, 32, 'void*'), 16));
  const [offset, size, stride, flags] = [
    chunk.readUInt32LE(0),
    chunk.readUInt32LE(4),
    chunk.readInt32LE(8),
    chunk.readInt32LE(12),
  ];
  const data = koffi.decode(datas, 24, 'void*') as unknown;
  const hasPixels = data !== null && offset === 0 && size > 0 && stride > 0 && (flags & corrupted) === 0;
  return { pixels: hasPixels ? data : undefined, stride, cursor: readCursor(koffi, spaBuffer) };
}

function readCursor(koffi: Koffi, spaBuffer: unknown): FrameCursor | undefined {
  const count = koffi.decode(spaBuffer, 0, 'uint32') as number;
  const list = koffi.decode(spaBuffer, 8, 'void*') as unknown;
  for (let at = 0; at < count * metaBytes; at += metaBytes) {
    if (koffi.decode(list, at, 'uint32') !== metas.cursor) continue;
    const size = koffi.decode(list, at + 4, 'uint32') as number;
    return parseCursor(Buffer.from(koffi.view(koffi.decode(list, at + 8, 'void*'), size)));
  }
  return undefined;
}

/** Returns undefined if the record names no pointer. */
function parseCursor(record: Buffer): FrameCursor | undefined {
  if (record.length < cursorBytes || record.readUInt32LE(0) === 0) return undefined;
  const place = { x: record.readInt32LE(8), y: record.readInt32LE(12) };
  const bitmapAt = record.readUInt32LE(24);
  if (bitmapAt < cursorBytes || bitmapAt + bitmapBytes > record.length) return place;
  const bitmap = record.subarray(bitmapAt);
  const [width, height, stride] = [bitmap.readUInt32LE(4), bitmap.readUInt32LE(8), bitmap.readInt32LE(12)];
  const pixels = bitmap.subarray(bitmap.readUInt32LE(16));
  if (width === 0 || height === 0 || Math.max(width, height) > maxCursorSide) return place;
  if (stride < width * 4 || pixels.length < stride * (height - 1) + width * 4) return place;
  const rows = Array.from({ length: height }, (_, row) =>
    pixels.subarray(row * stride, row * stride + width * 4),
  );
  const bytes = Buffer.concat(rows);
  const isBlueFirst = bitmap.readUInt32LE(0) !== rgba;
  const [hotX, hotY] = [record.readInt32LE(16), record.readInt32LE(20)];
  const shape = {
    width,
    height,
    hotX,
    hotY,
    rgba: new Uint8Array(isBlueFirst ? swapRedAndBlue(bytes) : bytes),
  };
  return { ...place, shape };
}

function swapRedAndBlue(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += 4) {
    const blue = bytes[at]!;
    bytes[at] = bytes[at + 2]!;
    bytes[at + 2] = blue;
  }
  return bytes;
}
