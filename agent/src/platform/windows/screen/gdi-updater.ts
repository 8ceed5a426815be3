/**
 * Brings the picture of the screen up to date with GDI, which does not say what changed: copies the screen, and compares the copy with
 * the picture. While nothing changes, only every fourth strip is copied each time.
 */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boundingBox } from '../../../pixels/boxes.ts';
import { findDifferences } from '../../../pixels/find-differences.ts';
import { putPixels } from '../../../pixels/framebuffer.ts';
import type { Pixels } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { createScreenBitmap, type ScreenBitmap } from './bitmap.ts';
import { changedStrips } from './changed-strips.ts';
import type { PictureUpdater, DesktopPicture } from './picture.ts';

/** The pause between two copies while the screen changes, when it does not, and when it has not for about a minute. */
const pauses = { active: 25, idle: 100, resting: 250 } as const;
/** How many equal copies in a row, and without input, make the screen idle, and resting. */
const [idleAfter, restingAfter] = [40, 600];
/** In how many turns an idle screen is copied. */
const turns = 4;

export const otherSize = 'The screen of the device has another size now.';

export function openGdiUpdater(api: WindowsApi, picture: DesktopPicture): PictureUpdater {
  const bitmap = createScreenBitmap(api);
  if (bitmap.width !== picture.width || bitmap.height !== picture.height) {
    bitmap.close();
    throw new NotPossible(otherSize);
  }
  const hasInput = createInputWatch(api);
  let [equal, turn] = [0, 0];
  /** Whether the next strips of an idle screen are as they were. */
  const isNextTurnEqual = async (): Promise<boolean> => {
    const strips = { first: (turn = (turn + 1) % turns), every: turns };
    return !(await bitmap.copyScreen(strips)) || changedStrips(bitmap, picture.bytes, strips).length === 0;
  };
  return {
    async update(isUrgent) {
      if (hasInput()) equal = 0;
      equal += 1;
      if (equal > idleAfter && !isUrgent && (await isNextTurnEqual())) return [];
      if (!(await bitmap.copyScreen())) return [];
      const changed = takeChanges(bitmap, picture);
      if (changed.length > 0) equal = 0;
      return changed;
    },
    pauseMs: () => pauseAfter(equal),
    close: () => bitmap.close(),
  };
}

function pauseAfter(equal: number): number {
  if (equal < idleAfter) return pauses.active;
  return equal < restingAfter ? pauses.idle : pauses.resting;
}

/** Copies what differs into the picture, and returns where that is: one box for neighbouring strips, so that moved content stays together. */
function takeChanges(bitmap: ScreenBitmap, picture: DesktopPicture): Box[] {
  const pixelsOf = (box: Box): Pixels => ({
    box,
    words: bitmap.words,
    offset: box.y * bitmap.width + box.x,
    stride: bitmap.width,
  });
  const boxes = changedStrips(bitmap, picture.bytes).map((strips) =>
    boundingBox(findDifferences(picture, pixelsOf(strips))),
  );
  for (const box of boxes) putPixels(picture, pixelsOf(box));
  return boxes;
}

/** Offsets in LASTINPUTINFO. */
const lastInput = { bytes: 8, time: 4 } as const;

/** Returns whether somebody, at the device or far away, has used mouse or keyboard since the last call. */
function createInputWatch(api: WindowsApi): () => boolean {
  const info = Buffer.alloc(lastInput.bytes);
  info.writeUInt32LE(lastInput.bytes);
  let known = 0;
  return () => {
    if (!api.GetLastInputInfo(info)) return false;
    const time = info.readUInt32LE(lastInput.time);
    const isNew = time !== known;
    known = time;
    return isNew;
  };
}
