/** Captures the screen with GDI: copies it repeatedly and compares each copy with the one before. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { createScreenBitmap, type ScreenBitmap } from './bitmap.ts';
import { changedStrips } from './changed-strips.ts';
import { watchCursor } from './cursor.ts';

/** The pause between two copies while the screen changes, and while it does not. */
const pauses = { active: 25, idle: 100 } as const;
/** The screen counts as unchanging after this many equal copies. */
const idleAfter = 40;

interface State {
  bitmap: ScreenBitmap;
  /** The pixels that the caller sees. */
  shown: Buffer;
  changed: Box[];
  listeners: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
  /** The copy that is being made. */
  copying: Promise<void> | undefined;
  equalCopies: number;
  isClosed: boolean;
}

export async function openCapture(api: WindowsApi): Promise<Capture> {
  const bitmap = createScreenBitmap(api);
  await bitmap.copyScreen();
  const state: State = {
    bitmap,
    shown: Buffer.from(bitmap.bytes),
    changed: [],
    listeners: new Set(),
    timer: undefined,
    copying: undefined,
    equalCopies: 0,
    isClosed: false,
  };
  const stops: (() => void)[] = [];
  const words = new Uint32Array(state.shown.buffer, state.shown.byteOffset, bitmap.width * bitmap.height);
  return {
    async damage() {
      const taken = state.changed;
      state.changed = [];
      schedule(state);
      return taken;
    },
    grab: async (boxes) =>
      boxes.map((box) => ({
        box: requireInside(bitmap, box),
        words,
        offset: box.y * bitmap.width + box.x,
        stride: bitmap.width,
      })),
    onDamage(listener) {
      state.listeners.add(listener);
      schedule(state);
    },
    onCursor: (listener) => void stops.push(watchCursor(api, listener)),
    close() {
      for (const stop of stops) stop();
      close(state);
    },
  };
}

function requireInside({ width, height }: ScreenBitmap, box: Box): Box {
  if (box.x + box.width > width || box.y + box.height > height)
    throw new NotPossible('The screen of the device has another size now.');
  return box;
}

/** While a change waits to be fetched, no further copy is made. */
function schedule(state: State): void {
  if (state.isClosed || state.timer || state.copying || state.changed.length > 0) return;
  const pause = state.equalCopies < idleAfter ? pauses.active : pauses.idle;
  state.timer = setTimeout(() => {
    state.timer = undefined;
    state.copying = look(state).finally(() => {
      state.copying = undefined;
      schedule(state);
    });
  }, pause);
}

async function look(state: State): Promise<void> {
  const { bitmap, shown } = state;
  if (!(await bitmap.copyScreen()) || state.isClosed) return;
  state.changed = changedStrips(bitmap, shown);
  for (const { y, height } of state.changed) {
    const [from, to] = [y * bitmap.width * 4, (y + height) * bitmap.width * 4];
    bitmap.bytes.copy(shown, from, from, to);
  }
  state.equalCopies = state.changed.length > 0 ? 0 : state.equalCopies + 1;
  if (state.changed.length > 0) state.listeners.forEach((listener) => listener());
}

/** The bitmap is freed only when no thread writes into it any more. */
function close(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  clearTimeout(state.timer);
  state.listeners.clear();
  void Promise.resolve(state.copying).then(() => state.bitmap.close());
}
