/** Brings the picture of the screen up to date with GDI: copies the screen, and compares the copy with the picture. */
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { createScreenBitmap } from './bitmap.ts';
import { changedStrips } from './changed-strips.ts';
import type { PictureUpdater, DesktopPicture } from './picture.ts';

/** The pause between two copies while the screen changes, and while it does not. */
const pauses = { active: 25, idle: 100 } as const;
/** The screen counts as unchanging after this many equal copies. */
const idleAfter = 40;

export const otherSize = 'The screen of the device has another size now.';

export function openGdiUpdater(api: WindowsApi, picture: DesktopPicture): PictureUpdater {
  const bitmap = createScreenBitmap(api);
  if (bitmap.width !== picture.width || bitmap.height !== picture.height) {
    bitmap.close();
    throw new NotPossible(otherSize);
  }
  return {
    async update() {
      if (!(await bitmap.copyScreen())) return [];
      const changed = changedStrips(bitmap, picture.bytes);
      for (const { y, height } of changed) {
        const [from, to] = [y * bitmap.width * 4, (y + height) * bitmap.width * 4];
        bitmap.bytes.copy(picture.bytes, from, from, to);
      }
      return changed;
    },
    pauseMs: (unchanged) => (unchanged < idleAfter ? pauses.active : pauses.idle),
    close: () => bitmap.close(),
  };
}
