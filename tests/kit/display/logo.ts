/** Small pictures as people would choose them for a logo: real ones, generated here. */
import { PNG } from 'pngjs';

/** A grey PNG of that size. */
export function pngOf(width: number, height: number, grey = 0x80): Buffer<ArrayBuffer> {
  const png = new PNG({ width, height });
  png.data.fill(Buffer.of(grey, grey, grey, 255));
  return Buffer.from(PNG.sync.write(png, { colorType: 2 }));
}
