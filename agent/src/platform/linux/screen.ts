/** A small picture of an X11 screen: grabbed through the X protocol, made smaller here, packed as PNG. */
import { NotPossible, type Picture } from '../platform.ts';
import { encodePng, type Pixels } from '../png.ts';
import { findDisplay } from './display.ts';
import { openDisplay, type Grabbed } from './x11.ts';

export async function takePicture(width: number): Promise<Picture> {
  const place = await findDisplay();
  if (!place) throw new NotPossible('Nobody works with a screen on this device, or it is not an X11 screen.');
  const display = await openDisplay(place);
  try {
    return { type: 'image/png', bytes: encodePng(shrink(await display.grab(), width)) };
  } finally {
    display.close();
  }
}

/** Each pixel of the small picture is the mean of those it stands for. */
export function shrink({ width, height, bgrx }: Grabbed, most: number): Pixels {
  const scale = Math.max(1, width / most);
  const [small, low] = [Math.max(1, Math.floor(width / scale)), Math.max(1, Math.floor(height / scale))];
  const rgb = new Uint8Array(small * low * 3);
  for (let y = 0; y < low; y++)
    for (let x = 0; x < small; x++) {
      const area = {
        left: Math.floor(x * scale),
        top: Math.floor(y * scale),
        size: Math.max(1, Math.floor(scale)),
      };
      rgb.set(meanOf(bgrx, width, height, area), (y * small + x) * 3);
    }
  return { width: small, height: low, rgb };
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
