/** Takes a screenshot of the desktop that has mouse and keyboard, scales it down and encodes it as PNG. */
import type { Screenshot } from '../../platform.ts';
import { NotPossible } from '../../platform.ts';
import { encodePng } from '../../png.ts';
import { shrink } from '../../shrink.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { inputDesktopsOf } from '../input-desktop/connect-desktop.ts';
import type { InputDesktop } from '../input-desktop/input-desktops.ts';
import { createScreenBitmap, desktopArea } from './bitmap.ts';
import { loadDesktopApi } from './desktop-api.ts';

export async function takeScreenshot(maxWidth: number): Promise<Screenshot> {
  const api = await loadDesktopApi();
  const desktops = inputDesktopsOf(api);
  const stop = desktops.onChange(() => {});
  try {
    await desktops.ready();
    const other = desktops.current();
    return await (other ? photograph(other, desktopArea(api), maxWidth) : copyOwn(api, maxWidth));
  } finally {
    stop();
  }
}

async function copyOwn(api: WindowsApi, maxWidth: number): Promise<Screenshot> {
  const bitmap = createScreenBitmap(api);
  try {
    if (!(await bitmap.copyScreen()))
      throw new NotPossible('Windows does not show its screen at the moment.');
    return toScreenshot(bitmap, maxWidth);
  } finally {
    bitmap.close();
  }
}

interface Picture {
  width: number;
  height: number;
  bytes: Buffer;
}

/** The login screen, or a question of Windows. */
async function photograph(
  desktop: InputDesktop,
  { width, height }: Omit<Picture, 'bytes'>,
  maxWidth: number,
): Promise<Screenshot> {
  const capture = await desktop.capture();
  try {
    const [pixels] = await capture.grab([{ x: 0, y: 0, width, height }]);
    const { words, offset } = pixels!;
    const bytes = Buffer.from(words.buffer, words.byteOffset + offset * 4, width * height * 4);
    return toScreenshot({ width, height, bytes }, maxWidth);
  } finally {
    capture.close();
  }
}

const toScreenshot = ({ width, height, bytes }: Picture, maxWidth: number): Screenshot => ({
  type: 'image/png',
  bytes: encodePng(shrink({ width, height, bgrx: bytes }, maxWidth)),
});
