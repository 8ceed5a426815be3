/** The agent's copy of a VNC server's screen: received pixels are written into it, and others are copied within it. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { copyRect, createFramebuffer, type Framebuffer } from '../../../pixels/framebuffer.ts';
import type { DisplaySize } from '../common-sizes.ts';
import { protocolViolation } from './protocol-violation.ts';
import type { ByteReader } from './byte-reader.ts';

/** The largest side in the contract, and an area of a quarter of a gigabyte. */
const [maxSide, maxArea] = [16_384, 0x400_0000];

export function createServerFramebuffer({ width, height }: DisplaySize): Framebuffer {
  const isPossible = width > 0 && height > 0 && width <= maxSide && height <= maxSide;
  if (!isPossible || width * height > maxArea) protocolViolation(`a screen of ${width}×${height} pixels`);
  return createFramebuffer(width, height);
}

/** Throws if a box is not completely on the screen. */
export function checkInside({ width, height }: DisplaySize, box: Box): void {
  if (box.x + box.width > width || box.y + box.height > height)
    protocolViolation(`a rectangle beyond its screen (${box.width}×${box.height} at ${box.x}, ${box.y})`);
}

/** Reads raw pixels: full rows at once, parts of rows one by one. */
export async function readPixels({ bytes, width }: Framebuffer, box: Box, reader: ByteReader): Promise<void> {
  const isWhole = box.width === width;
  const [length, count] = isWhole ? [box.width * box.height, 1] : [box.width, box.height];
  if (length === 0) return;
  for (let row = 0; row < count; row += 1) {
    const at = ((box.y + row) * width + box.x) * 4;
    await reader.fill(bytes.subarray(at, at + length * 4));
  }
}

/** Copies existing pixels; the box is the target. */
export async function copyPixels(framebuffer: Framebuffer, box: Box, reader: ByteReader): Promise<void> {
  const from = await reader.take(4);
  const source = { ...box, x: from.readUInt16BE(0), y: from.readUInt16BE(2) };
  checkInside(framebuffer, source);
  copyRect(framebuffer, { ...source, toX: box.x, toY: box.y });
}
