/** Reads the pointer shape of a VNC server: its pixels, and a mask of the visible ones. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { CursorShape } from '../../desktop.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';

const maxSize = 1_024;

/** The position of the box is the hot spot of the shape. */
export async function readShape({ x, y, width, height }: Box, reader: ByteReader): Promise<CursorShape> {
  if (width > maxSize || height > maxSize) protocolViolation(`a pointer of ${width}×${height} pixels`);
  const pixels = await reader.take(width * height * 4);
  const rowBytes = Math.ceil(width / 8);
  const mask = await reader.take(rowBytes * height);
  const rgba = new Uint8Array(pixels.length);
  for (let at = 0; at < width * height; at += 1) {
    const [column, row] = [at % width, Math.floor(at / width)];
    const isVisible = (mask[row * rowBytes + (column >> 3)]! >> (7 - (column & 7))) & 1;
    if (isVisible) rgba.set([pixels[at * 4 + 2]!, pixels[at * 4 + 1]!, pixels[at * 4]!, 255], at * 4);
  }
  const clamp = (position: number, size: number): number => Math.max(0, Math.min(position, size - 1));
  return { width, height, hotX: clamp(x, width), hotY: clamp(y, height), rgba };
}
