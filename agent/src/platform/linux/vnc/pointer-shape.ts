/** The shape of a VNC server's pointer: its pixels, and a mask of those that are seen. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { CursorShape } from '../../desktop.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';

const largest = 1_024;

/** The corner of the box is the place in the shape that points. */
export async function readShape({ x, y, width, height }: Box, reader: ByteReader): Promise<CursorShape> {
  if (width > largest || height > largest) protocolViolation(`a pointer of ${width}×${height} pixels`);
  const pixels = await reader.take(width * height * 4);
  const lineBytes = Math.ceil(width / 8);
  const mask = await reader.take(lineBytes * height);
  const rgba = new Uint8Array(pixels.length);
  for (let at = 0; at < width * height; at += 1) {
    const [column, row] = [at % width, Math.floor(at / width)];
    const isSeen = (mask[row * lineBytes + (column >> 3)]! >> (7 - (column & 7))) & 1;
    if (isSeen) rgba.set([pixels[at * 4 + 2]!, pixels[at * 4 + 1]!, pixels[at * 4]!, 255], at * 4);
  }
  const clamp = (place: number, size: number): number => Math.max(0, Math.min(place, size - 1));
  return { width, height, hotX: clamp(x, width), hotY: clamp(y, height), rgba };
}
