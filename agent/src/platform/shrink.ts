/** Scales a picture of the screen down, for previews. */
import type { RgbImage } from './png.ts';

export interface ScreenPicture {
  width: number;
  height: number;
  /** Blue, green, red and an unused byte for each pixel, row by row. */
  bgrx: Uint8Array;
}

/** Scales the picture down to `maxWidth`. Each pixel is the mean of the pixels that it replaces. */
export function shrink({ width, height, bgrx }: ScreenPicture, maxWidth: number): RgbImage {
  const scale = Math.max(1, width / maxWidth);
  const columns = Math.max(1, Math.floor(width / scale));
  const rows = Math.max(1, Math.floor(height / scale));
  const rgb = new Uint8Array(columns * rows * 3);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const area = {
        left: Math.floor(x * scale),
        top: Math.floor(y * scale),
        size: Math.max(1, Math.floor(scale)),
      };
      rgb.set(meanOf(bgrx, width, height, area), (y * columns + x) * 3);
    }
  return { width: columns, height: rows, rgb };
}

function meanOf(
  bgrx: Uint8Array,
  width: number,
  height: number,
  { left, top, size }: { left: number; top: number; size: number },
): [number, number, number] {
  let [red, green, blue, count] = [0, 0, 0, 0];
  for (let y = top; y < Math.min(top + size, height); y++)
    for (let x = left; x < Math.min(left + size, width); x++, count++) {
      const at = (y * width + x) * 4;
      blue += bgrx[at]!;
      green += bgrx[at + 1]!;
      red += bgrx[at + 2]!;
    }
  return [red / count, green / count, blue / count];
}
