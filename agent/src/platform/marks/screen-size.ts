/**
 * Remembers how large the screen was before operators changed it, and restores that size when the last of them leaves. The size
 * is also kept in a file, so that an agent that was killed restores it at the next start.
 */
import type { Desktop, ScreenSize } from '../desktop.ts';
import { createMarkFile } from './mark-file.ts';

export const sizeMarkName = 'screen-size.json';

/** The size before the first change, and the size after the last; two sizes while one is being replaced by the other. */
interface SizeMark {
  original: ScreenSize;
  changed: readonly ScreenSize[];
}

const file = createMarkFile(sizeMarkName);

/** Whether an operator has changed the size and it was not restored. */
export const isSizeChanged = file.exists;

function readMark(): SizeMark | undefined {
  if (!isSizeChanged()) return undefined;
  try {
    const { original, changed } = JSON.parse(file.read()) as SizeMark;
    return isSize(original) && changed.every(isSize) ? { original, changed } : undefined;
  } catch {
    return undefined; // a write was interrupted
  }
}

const isSize = ({ width, height }: ScreenSize): boolean =>
  Number.isInteger(width) && Number.isInteger(height);

function writeMark(mark: SizeMark | undefined): void {
  if (mark) file.write(JSON.stringify(mark));
  else file.clear();
}

const isSame = (one: ScreenSize, other: ScreenSize): boolean =>
  one.width === other.width && one.height === other.height;

/** Returns the mark if the size is one that an operator has set, and not one that the person at the device has chosen. */
function markOf(size: ScreenSize): SizeMark | undefined {
  const mark = readMark();
  return mark?.changed.some((changed) => isSame(changed, size)) ? mark : undefined;
}

/** The desktops that have changed the size. */
const holders = new Set<object>();
/** Changes of the size run one after the other. */
let last: Promise<void> = Promise.resolve();

function inTurn(work: () => Promise<void>): Promise<void> {
  const done = last.then(work);
  last = done.catch(() => {});
  return done;
}

type ResizableDesktop = Omit<Desktop, 'restoreSize'>;

export function withSizeRestored(desktop: ResizableDesktop): Desktop {
  const holder = {};
  desktop.onClose(() => holders.delete(holder));
  return {
    ...desktop,
    async layout() {
      const layout = await desktop.layout();
      const mark = markOf(layout);
      return mark ? { ...layout, original: mark.original } : layout;
    },
    resize: (width, height) => inTurn(() => resize(desktop, holder, { width, height })),
    restoreSize: () =>
      inTurn(async () => {
        holders.delete(holder);
        if (holders.size === 0 && isSizeChanged()) await restore(desktop);
      }),
  };
}

async function resize(desktop: ResizableDesktop, holder: object, wanted: ScreenSize): Promise<void> {
  const before = toSize(await desktop.layout());
  const mark = markOf(before);
  const original = mark?.original ?? before;
  // Written before the change: an agent that is killed in between may have left either size.
  writeMark({ original, changed: mark ? [before, wanted] : [wanted] });
  try {
    await desktop.resize(wanted.width, wanted.height);
  } catch (error) {
    writeMark(mark);
    throw error;
  }
  const isRestored = isSame(original, wanted);
  writeMark(isRestored ? undefined : { original, changed: [wanted] });
  if (!isRestored) holders.add(holder);
}

/** If the display fails, the mark stays, and the next desktop that is opened tries again. */
async function restore(desktop: ResizableDesktop): Promise<void> {
  const mark = markOf(await desktop.layout());
  if (mark) await desktop.resize(mark.original.width, mark.original.height);
  writeMark(undefined);
}

const toSize = ({ width, height }: ScreenSize): ScreenSize => ({ width, height });
