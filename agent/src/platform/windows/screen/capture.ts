/** Captures the screen with desktop duplication, and with GDI where Windows refuses that. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { desktopArea } from './bitmap.ts';
import { watchCursor } from './cursor.ts';
import { isPassingFailure, openDuplication } from './duplication/updater.ts';
import { openGdiUpdater, otherSize } from './gdi-updater.ts';
import type { PictureUpdater, DesktopPicture } from './picture.ts';

/** How long after a temporary failure duplication is tried again. */
const retryMs = 2_000;
const failurePauseMs = 100;

interface State {
  api: WindowsApi;
  picture: DesktopPicture;
  /** Absent after it has failed. */
  updater: PictureUpdater | undefined;
  /** When duplication is tried again; Infinity if it is in use, or Windows does not have it. */
  retryAt: number;
  changed: Box[];
  listeners: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
  /** The update that is being made. */
  updating: Promise<void> | undefined;
  /** How many updates found nothing since the last change. */
  unchanged: number;
  isClosed: boolean;
}

export async function openCapture(api: WindowsApi): Promise<Capture> {
  const state = await openState(api);
  const { picture } = state;
  const stops: (() => void)[] = [];
  return {
    async damage() {
      const taken = state.changed;
      state.changed = [];
      schedule(state);
      return taken;
    },
    grab: async (boxes) =>
      boxes.map((box) => ({
        box: requireInside(picture, box),
        words: picture.words,
        offset: box.y * picture.width + box.x,
        stride: picture.width,
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

/** The picture begins with a copy by GDI: the first frame of duplication may come only with the next change of the screen. */
async function openState(api: WindowsApi): Promise<State> {
  const { width, height } = desktopArea(api);
  const words = new Uint32Array(width * height);
  const picture = { width, height, words, bytes: Buffer.from(words.buffer) };
  const updater = openGdiUpdater(api, picture);
  await updater.update();
  return {
    api,
    picture,
    updater,
    retryAt: 0,
    changed: [],
    listeners: new Set(),
    timer: undefined,
    updating: undefined,
    unchanged: 0,
    isClosed: false,
  };
}

function requireInside({ width, height }: DesktopPicture, box: Box): Box {
  if (box.x + box.width > width || box.y + box.height > height) throw new NotPossible(otherSize);
  return box;
}

/** While a change waits to be fetched, the picture stays as it is. */
function schedule(state: State): void {
  if (state.isClosed || state.timer || state.updating || state.changed.length > 0) return;
  state.timer = setTimeout(
    () => {
      state.timer = undefined;
      state.updating = update(state).finally(() => {
        state.updating = undefined;
        schedule(state);
      });
    },
    state.updater?.pauseMs(state.unchanged) ?? failurePauseMs,
  );
}

async function update(state: State): Promise<void> {
  try {
    await chooseUpdater(state);
    state.changed = await state.updater!.update();
  } catch (error) {
    state.updater?.close();
    state.updater = undefined;
    state.retryAt = nextTry(error);
  }
  state.unchanged = state.changed.length > 0 ? 0 : state.unchanged + 1;
  if (state.changed.length > 0) state.listeners.forEach((listener) => listener());
}

/** Rejects while neither duplication nor GDI shows the desktop. */
async function chooseUpdater(state: State): Promise<void> {
  const { api, picture } = state;
  if (performance.now() >= state.retryAt)
    try {
      const duplication = await openDuplication(api, picture);
      state.updater?.close();
      state.updater = duplication;
      state.retryAt = Infinity;
    } catch (error) {
      state.retryAt = nextTry(error);
    }
  state.updater ??= openGdiUpdater(api, picture);
}

const nextTry = (error: unknown): number =>
  isPassingFailure(error) ? performance.now() + retryMs : Infinity;

/** Memory is freed only when no thread writes into it any more. */
function close(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  clearTimeout(state.timer);
  state.listeners.clear();
  void Promise.resolve(state.updating).then(() => state.updater?.close());
}
