/** Brings the picture of the screen up to date with desktop duplication: Windows says what changed, so a still screen costs nothing. */
import { boundingBox, isSameBox } from '../../../../pixels/boxes.ts';
import type { WindowsApi } from '../../api/windows-api.ts';
import { desktopArea } from '../bitmap.ts';
import { listOutputs } from '../outputs.ts';
import type { PictureUpdater, DesktopPicture } from '../picture.ts';
import { openOutputs, type OpenedOutput } from './open-outputs.ts';

/** How long one of the monitors is waited for. The others are noticed only after that. */
const waitMs = 50;
/** Frames that follow sooner are copied together. */
const pauseAfterChangeMs = 10;

/** Rejects if Windows cannot duplicate all of the desktop. */
export async function openDuplication(api: WindowsApi, picture: DesktopPicture): Promise<PictureUpdater> {
  using stack = new DisposableStack();
  const area = desktopArea(api);
  const opened = await openOutputs(api, { area, picture }, stack);
  const boxes = opened.map(({ box }) => box);
  const isWhole = opened.length === listOutputs(api).length && isSameBox(boundingBox(boxes), area);
  if (!isWhole || area.width !== picture.width || area.height !== picture.height)
    throw new Error('Windows duplicates only a part of the desktop.');
  const owned = stack.move();
  const update = createUpdate(opened);
  let isChanging = false;
  return {
    async update(isUrgent) {
      const changed = await update(isUrgent);
      isChanging = changed.length > 0;
      return changed;
    },
    pauseMs: () => (isChanging ? pauseAfterChangeMs : 0),
    close: () => owned.dispose(),
  };
}

/** Waits for the monitor that changed last, because it will probably change next. */
function createUpdate(opened: readonly OpenedOutput[]): PictureUpdater['update'] {
  let last = 0;
  return async (isUrgent) => {
    const changed = [];
    for (const [index, { output }] of opened.entries()) {
      const boxes = await output.update(index === last && !isUrgent ? waitMs : 0);
      if (boxes.length > 0) last = index;
      changed.push(...boxes);
    }
    return changed;
  };
}
