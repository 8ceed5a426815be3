/** The banner on the device: one for all connected operators, shown while at least one is connected, with a button to stop. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Banner, Desktop } from '../platform/desktop.ts';
import { isBrieflyNotPossible, NotPossible, type Platform } from '../platform/platform.ts';

export interface Notice {
  /** Adds a line. If there is no display, `whyNot` says why, and the line appears as soon as there is one. */
  show(line: string, onStop: () => void): Promise<ShownNotice>;
  /**
   * Resolves when the banner is on a desktop, or when the person cannot be told on it; otherwise rejects with the reason.
   * The result tells whether the banner has been there since.
   */
  onDesktop(): Promise<() => boolean>;
}

export interface ShownNotice {
  /** Removes the line. */
  leave(): void;
  /** Why nobody can see the line yet. */
  whyNot?: string;
  /** The same, where the policy allows a desktop on which the person cannot be told. */
  untold?: string;
}

interface Entry {
  line: string;
  onStop: () => void;
}

interface Shown {
  desktop: Desktop;
  banner: Banner;
}

/** How often the notice looks for a display while there is none, for example until the next person logs in. */
const retryMs = 1_000;
/** How often an operator who connects while the desktop changes waits for the next one. */
const maxWaits = 5;

interface State {
  platform: Platform;
  log(line: string): void;
  entries: Set<Entry>;
  /** The banner that is open or opens at the moment. */
  shown: Promise<Shown> | undefined;
  isRetrying: boolean;
  /** Why the person cannot be told on the desktop that was opened last. */
  untold: string | undefined;
}

export function createNotice(platform: Platform, log: (line: string) => void): Notice {
  const state: State = {
    platform,
    log,
    entries: new Set(),
    shown: undefined,
    isRetrying: false,
    untold: undefined,
  };
  return { show: (line, onStop) => show(state, { line, onStop }), onDesktop: () => onDesktop(state) };
}

async function onDesktop(state: State): Promise<() => boolean> {
  if (state.entries.size === 0) throw new NotPossible('Nobody is connected any more.');
  await openIfMissing(state).catch((error: unknown) => {
    if (state.untold === undefined) throw error;
  });
  const { shown } = state;
  return () => shown !== undefined && state.shown === shown;
}

async function show(state: State, entry: Entry): Promise<ShownNotice> {
  const leave = (): void => removeEntry(state, entry);
  state.entries.add(entry);
  try {
    await refreshSoon(state, maxWaits);
    return { leave };
  } catch (error) {
    void retry(state);
    if (state.untold !== undefined) return { leave, untold: state.untold };
    return { leave, whyNot: error instanceof Error ? error.message : String(error) };
  }
}

function removeEntry(state: State, entry: Entry): void {
  if (!state.entries.delete(entry) || !state.shown) return;
  const updated = state.entries.size === 0 ? closeBanner(state) : refresh(state);
  void updated.catch((error: unknown) => state.log(String(error)));
}

const textOf = ({ entries }: State): string => [...entries].map(({ line }) => line).join('\n');

/** Waits for a desktop that changes just now. */
async function refreshSoon(state: State, waits: number): Promise<void> {
  try {
    await refresh(state);
  } catch (error) {
    if (!isBrieflyNotPossible(error) || waits === 0) throw error;
    await pause(retryMs, undefined, { ref: false });
    await refreshSoon(state, waits - 1);
  }
}

/** Opens the banner if there is none, or updates its text. */
async function refresh(state: State): Promise<void> {
  const isNew = state.shown === undefined;
  const { banner } = await openIfMissing(state);
  if (!isNew) banner.setText(textOf(state));
}

async function openIfMissing(state: State): Promise<Shown> {
  const opening: Promise<Shown> = (state.shown ??= openBanner(state, () => {
    if (state.shown !== opening) return;
    state.shown = undefined;
    void retry(state);
  }));
  try {
    return await opening;
  } catch (error) {
    if (state.shown === opening) state.shown = undefined;
    throw error;
  }
}

async function openBanner(state: State, onLost: () => void): Promise<Shown> {
  state.untold = undefined;
  const desktop = await state.platform.desktop();
  state.untold = desktop.untold;
  try {
    const banner = await desktop.banner(textOf(state));
    banner.onStop(() => [...state.entries].forEach(({ onStop }) => onStop()));
    desktop.onClose(onLost);
    return { desktop, banner };
  } catch (error) {
    desktop.close();
    throw error;
  }
}

async function closeBanner(state: State): Promise<void> {
  const opening = state.shown?.catch(() => undefined);
  state.shown = undefined;
  const { desktop, banner } = (await opening) ?? {};
  banner?.close();
  desktop?.close();
}

const isMissing = ({ entries, shown }: State): boolean => entries.size > 0 && shown === undefined;

async function retry(state: State): Promise<void> {
  if (state.isRetrying) return;
  state.isRetrying = true;
  while (isMissing(state)) {
    await pause(retryMs, undefined, { ref: false });
    // Failures are not logged: until somebody logs in, there is nobody to show the banner to.
    if (isMissing(state))
      await refresh(state).then(
        () => state.log('the banner is shown now'),
        () => {},
      );
  }
  state.isRetrying = false;
}
