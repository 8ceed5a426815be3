/** Captures the screen with desktop duplication, and with GDI where Windows refuses that. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { SharableCapture } from '../../helper/shared-capture.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import { desktopArea } from './bitmap.ts';
import { watchCursor } from './cursor.ts';
import { openDuplication } from './duplication/updater.ts';
import { openGdiUpdater, otherSize } from './gdi-updater.ts';
import { listOutputs } from './outputs.ts';
import type { PictureUpdater, DesktopPicture } from './picture.ts';

/** How long after a refusal duplication is tried again: each refusal in a row doubles it. Its code does not say whether it passes. */
const retryMs = { first: 2_000, longest: 60_000 } as const;
/** The same for GDI. */
const failurePauseMs = { first: 100, longest: 2_000 } as const;
/** The picture is brought up to date again if a change was fetched later than this. */
const staleMs = 50;

interface State {
  api: WindowsApi;
  picture: DesktopPicture;
  /** Absent while Windows refuses it. */
  duplication: PictureUpdater | undefined;
  /** Absent while duplication is in use, and after a failure. */
  gdi: PictureUpdater | undefined;
  /** How often duplication failed since it last worked, and when it is tried again. */
  refusals: number;
  retryAt: number;
  /** How often GDI failed since it last worked. */
  failures: number;
  changed: Box[];
  listeners: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
  /** The update that is being made. */
  updating: Promise<void> | undefined;
  /** When the last change was found. */
  changedAt: number;
  isClosed: boolean;
}

/** `memory`: where the picture is kept, from its first word on; by default in memory of its own. */
export async function openCapture(api: WindowsApi, memory?: Uint32Array): Promise<SharableCapture> {
  const monitors = describeMonitors(api);
  const state = await openState(api, memory);
  const { picture } = state;
  const stops: (() => void)[] = [];
  return {
    isCurrent: () => describeMonitors(api) === monitors,
    async damage() {
      if (state.changed.length > 0 && performance.now() - state.changedAt > staleMs) await refresh(state);
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

const describeMonitors = (api: WindowsApi): string => JSON.stringify(listOutputs(api));

/** The picture begins with a copy by GDI: the first frame of duplication may come only with the next change of the screen. */
async function openState(api: WindowsApi, memory?: Uint32Array): Promise<State> {
  const { width, height } = desktopArea(api);
  const words = memory?.subarray(0, width * height) ?? new Uint32Array(width * height);
  if (words.length < width * height) throw new NotPossible(otherSize);
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  const picture = { width, height, words, bytes };
  const gdi = openGdiUpdater(api, picture);
  await gdi.update(true);
  return {
    api,
    picture,
    duplication: undefined,
    gdi,
    refusals: 0,
    retryAt: 0,
    failures: 0,
    changed: [],
    listeners: new Set(),
    timer: undefined,
    updating: undefined,
    changedAt: -Infinity,
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
    (state.duplication ?? state.gdi)?.pauseMs() ?? doubled(failurePauseMs, state.failures),
  );
}

const doubled = ({ first, longest }: { first: number; longest: number }, times: number): number =>
  Math.min(first * 2 ** times, longest);

async function update(state: State): Promise<void> {
  state.changed = await findChanged(state, false);
  if (state.changed.length === 0) return;
  state.changedAt = performance.now();
  state.listeners.forEach((listener) => listener());
}

/** Adds what has changed since the changes that wait were found. */
async function refresh(state: State): Promise<void> {
  if (state.isClosed) return;
  state.updating ??= findChanged(state, true)
    .then((changed) => void state.changed.push(...changed))
    .finally(() => (state.updating = undefined));
  await state.updating;
}

async function findChanged(state: State, isUrgent: boolean): Promise<Box[]> {
  try {
    const changed = await (state.duplication ? updateDuplicated : updateCopied)(state, isUrgent);
    state.failures = 0;
    return changed;
  } catch {
    closeGdi(state);
    state.failures += 1;
    return [];
  }
}

/** A failure may have left changes in the picture that nobody was told of, so all of it counts as changed. */
async function updateDuplicated(state: State, isUrgent: boolean): Promise<Box[]> {
  const { width, height } = state.picture;
  try {
    const changed = await state.duplication!.update(isUrgent);
    state.refusals = 0;
    return changed;
  } catch {
    state.duplication!.close();
    state.duplication = undefined;
    refuse(state);
    return [{ x: 0, y: 0, width, height }];
  }
}

function refuse(state: State): void {
  state.retryAt = performance.now() + doubled(retryMs, state.refusals);
  state.refusals += 1;
}

/**
 * The last copy is made after duplication has begun, because its frames show only what changes from then on. Rejects while GDI does not
 * show the desktop.
 */
async function updateCopied(state: State, isUrgent: boolean): Promise<Box[]> {
  if (performance.now() >= state.retryAt) await tryDuplication(state);
  if (state.isClosed) return [];
  state.gdi ??= openGdiUpdater(state.api, state.picture);
  const changed = await state.gdi.update(isUrgent);
  if (state.duplication) closeGdi(state);
  return changed;
}

async function tryDuplication(state: State): Promise<void> {
  try {
    state.duplication = await openDuplication(state.api, state.picture);
  } catch {
    refuse(state);
  }
}

function closeGdi(state: State): void {
  state.gdi?.close();
  state.gdi = undefined;
}

/** Memory is freed only when no thread writes into it any more. */
function close(state: State): void {
  if (state.isClosed) return;
  state.isClosed = true;
  clearTimeout(state.timer);
  state.listeners.clear();
  void Promise.resolve(state.updating).finally(() => {
    state.duplication?.close();
    closeGdi(state);
  });
}
