/** Takes a screenshot, scales it down and encodes it as PNG. */
import type { Screenshot } from '../../platform.ts';
import { NotPossible } from '../../platform.ts';
import { encodePng } from '../../png.ts';
import { shrink } from '../../shrink.ts';
import { loadDesktopApi } from './desktop-api.ts';
import { createScreenBitmap } from './bitmap.ts';

export async function takeScreenshot(maxWidth: number): Promise<Screenshot> {
  const bitmap = createScreenBitmap(await loadDesktopApi());
  try {
    if (!(await bitmap.copyScreen()))
      throw new NotPossible('Windows does not show its screen at the moment.');
    const { width, height, bytes } = bitmap;
    return { type: 'image/png', bytes: encodePng(shrink({ width, height, bgrx: bytes }, maxWidth)) };
  } finally {
    bitmap.close();
  }
}
