/** Takes a screenshot, scales it down and encodes it as PNG. */
import type { Screenshot } from '../platform.ts';
import { encodePng, type RgbImage } from '../png.ts';
import { openScreenshotSource, releaseScreenSource } from './screen-source.ts';
import { fetchFramebuffer } from './vnc/capture.ts';
import type { VncConnection } from './vnc/connection.ts';
import type { X11Connection } from './x11/connection.ts';

interface Grabbed {
  width: number;
  height: number;
  /** Blue, green, red and an unused byte for each pixel, row by row. */
  bgrx: Uint8Array;
}

const [wholePixels, allPlanes] = [2, 0xffff_ffff];

export async function takeScreenshot(width: number): Promise<Screenshot> {
  const source = await openScreenshotSource();
  try {
    const grabbed = await (source.vnc ? grabFromVnc(source.vnc.value) : grab(source.display.value));
    return { type: 'image/png', bytes: encodePng(shrink(grabbed, width)) };
  } finally {
    releaseScreenSource(source);
  }
}

async function grab({ client, root, call }: X11Connection): Promise<Grabbed> {
  const { width, height } = await call<{ width: number; height: number }>((done) =>
    client.GetGeometry(root, done),
  );
  const { data } = await call<{ data: Buffer }>((done) =>
    client.GetImage(wholePixels, root, 0, 0, width, height, allPlanes, done),
  );
  return { width, height, bgrx: data };
}

async function grabFromVnc(vnc: VncConnection): Promise<Grabbed> {
  const { width, height, bytes } = await fetchFramebuffer(vnc);
  return { width, height, bgrx: bytes };
}

/** Scales the picture down to `maxWidth`. Each pixel is the mean of the pixels that it replaces. */
export function shrink({ width, height, bgrx }: Grabbed, maxWidth: number): RgbImage {
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
