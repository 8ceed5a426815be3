/** Finds the horizontal strips in which two pictures differ; the encoder then finds the exact pixels. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { stripRows } from './bitmap.ts';

interface Picture {
  width: number;
  height: number;
  bytes: Buffer;
}

export function changedStrips({ width, height, bytes }: Picture, before: Buffer): Box[] {
  const strips: Box[] = [];
  for (let y = 0; y < height; y += stripRows) {
    const rows = Math.min(stripRows, height - y);
    const [from, to] = [y * width * 4, (y + rows) * width * 4];
    if (bytes.compare(before, from, to, from, to) === 0) continue;
    const last = strips.at(-1);
    if (last && last.y + last.height === y) last.height += rows;
    else strips.push({ x: 0, y, width, height: rows });
  }
  return strips;
}
