/** A part of the desktop that a feature keeps open, such as the clipboard: it is opened again after its desktop was lost. */
import type { Desktop } from '../../platform/desktop.ts';
import { NotPossible } from '../../platform/platform.ts';
import type { FeatureContext } from '../feature.ts';

/** How soon a desktop is looked for after one was lost or could not be opened, for example when the person logged out. */
export const reopenMs = 1_000;
/** A part can fail for as long as the screen is locked, so the time until the next attempt doubles. */
const maxReopenMs = 30_000;

/** Undefined on desktops that do not have it. */
type DesktopPartValue = { close(): void } | undefined;

export interface DesktopPart<Part> {
  /** Opens it if it is not open. If that fails, it rejects, and the part is opened as soon as it is possible. */
  opened(): Promise<Part>;
  close(): Promise<void>;
}

interface DesktopPartOptions<Part> {
  /** What the log says when it cannot be opened; the reason follows. */
  failure: string;
  open(desktop: Desktop): Promise<Part>;
  /** Called when the desktop is gone. */
  onLost?(): void;
}

interface State<Part> {
  context: FeatureContext;
  options: DesktopPartOptions<Part>;
  /** Kept while only the part fails: what is shared with other users of a desktop remembers each of them. */
  desktop: Desktop | undefined;
  /** Undefined until it is opened, and again from a failure or loss until the next attempt. */
  opening: Promise<Part> | undefined;
  timer: NodeJS.Timeout | undefined;
  /** The time until the next attempt. */
  waitMs: number;
  isOver: boolean;
  /** Why it could not be opened at the last attempt, so that each reason is logged once. */
  whyNot: string | undefined;
}

/** Nothing is opened before the first call of `opened`. */
export function keepDesktopPart<Part extends DesktopPartValue>(
  context: FeatureContext,
  options: DesktopPartOptions<Part>,
): DesktopPart<Part> {
  const state: State<Part> = {
    context,
    options,
    desktop: undefined,
    opening: undefined,
    timer: undefined,
    waitMs: reopenMs,
    isOver: false,
    whyNot: undefined,
  };
  return {
    opened: () => open(state),
    async close() {
      state.isOver = true;
      clearTimeout(state.timer);
      const part = await state.opening?.catch(() => undefined);
      part?.close();
      state.desktop?.close();
    },
  };
}

function open<Part extends DesktopPartValue>(state: State<Part>): Promise<Part> {
  if (state.isOver) return Promise.reject(new NotPossible('The session is over.'));
  if (state.opening) return state.opening;
  const opening = openPart(state);
  state.opening = opening;
  opening.then(
    () => ([state.whyNot, state.waitMs] = [undefined, reopenMs]),
    (error: unknown) => {
      if (state.opening !== opening) return;
      logOnce(state, error);
      reopenLater(state);
    },
  );
  return opening;
}

async function openPart<Part extends DesktopPartValue>(state: State<Part>): Promise<Part> {
  const desktop = state.desktop ?? (await openDesktop(state));
  const part = await state.options.open(desktop);
  if (state.desktop === desktop) return part;
  part?.close();
  throw new NotPossible('The desktop of the device was closed.');
}

async function openDesktop<Part extends DesktopPartValue>(state: State<Part>): Promise<Desktop> {
  const desktop = await state.context.platform.desktop();
  state.desktop = desktop;
  desktop.onClose(() => {
    if (state.desktop !== desktop) return;
    state.desktop = undefined;
    state.waitMs = reopenMs;
    state.options.onLost?.();
    reopenLater(state);
  });
  return desktop;
}

function logOnce<Part>(state: State<Part>, error: unknown): void {
  const whyNot = error instanceof Error ? error.message : String(error);
  if (whyNot !== state.whyNot) state.context.log(`${state.options.failure}: ${whyNot}`);
  state.whyNot = whyNot;
}

function reopenLater<Part extends DesktopPartValue>(state: State<Part>): void {
  state.opening = undefined;
  if (state.isOver) return;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => void open(state).catch(() => undefined), state.waitMs).unref();
  state.waitMs = Math.min(maxReopenMs, state.waitMs * 2);
}
