/** Finds the horizontal strips in which two pictures differ. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { allStrips, stripRows, type StripRange } from './bitmap.ts';

interface Picture {
  width: number;
  height: number;
  bytes: Buffer;
}

export function changedStrips(
  { width, height, bytes }: Picture,
  before: Buffer,
  { first, every }: StripRange = allStrips,
): Box[] {
  const strips: Box[] = [];
  for (let y = first * stripRows; y < height; y += every * stripRows) {
    const rows = Math.min(stripRows, height - y);
    const [from, to] = [y * width * 4, (y + rows) * width * 4];
    if (bytes.compare(before, from, to, from, to) === 0) continue;
    const last = strips.at(-1);
    if (last && last.y + last.height === y) last.height += rows;
    else strips.push({ x: 0, y, width, height: rows });
  }
  return strips;
}
