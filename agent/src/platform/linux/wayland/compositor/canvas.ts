/** A picture in memory on which the agent draws its windows. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { intersect } from '../../../../pixels/boxes.ts';
import type { TextBitmaps } from '../../x11/fonts/text-bitmaps.ts';

export interface Canvas {
  width: number;
  height: number;
  words: Uint32Array;
}

const opaque = 0xff00_0000;

export function fillBox({ width, height, words }: Canvas, colour: number, box: Box): void {
  const part = intersect(box, { x: 0, y: 0, width, height });
  if (!part) return;
  for (let y = part.y; y < part.y + part.height; y += 1)
    words.fill((colour | opaque) >>> 0, y * width + part.x, y * width + part.x + part.width);
}

/** Cut off at the edges. */
export function putBitmap(
  canvas: Canvas,
  drawn: ReturnType<TextBitmaps['draw']>,
  at: { x: number; y: number },
): void {
  const columns = Math.min(drawn.width, canvas.width - at.x);
  const rows = Math.min(drawn.height, canvas.height - at.y);
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1)
      canvas.words[(at.y + y) * canvas.width + at.x + x] = (drawn.words[y * drawn.width + x]! | opaque) >>> 0;
}
