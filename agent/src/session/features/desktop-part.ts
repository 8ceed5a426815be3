/** A part of the desktop that a feature keeps open, such as the clipboard: it is opened again after its desktop was lost. */
import type { Desktop } from '../../platform/desktop.ts';
import type { FeatureContext } from '../feature.ts';

/** How often a desktop is looked for after one was lost or could not be opened, for example when the person logged out. */
export const reopenMs = 1_000;

/** `Part` is undefined on desktops that do not have it. */
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

interface Opened<Part> {
  desktop: Desktop;
  part: Part;
}

interface State<Part> {
  context: FeatureContext;
  options: DesktopPartOptions<Part>;
  /** Undefined until it is opened, and again from a failure or loss until the next attempt. */
  opening: Promise<Opened<Part>> | undefined;
  timer: NodeJS.Timeout | undefined;
  isOver: boolean;
  /** Why it could not be opened at the last attempt, so that each reason is logged once. */
  whyNot: string | undefined;
}

/** Nothing is opened before the first call of `opened`. */
export function keepDesktopPart<Part extends { close(): void } | undefined>(
  context: FeatureContext,
  options: DesktopPartOptions<Part>,
): DesktopPart<Part> {
  const initial = { opening: undefined, timer: undefined, isOver: false, whyNot: undefined };
  const state: State<Part> = { context, options, ...initial };
  return {
    opened: async () => (await open(state)).part,
    async close() {
      state.isOver = true;
      clearTimeout(state.timer);
      const opened = await state.opening?.catch(() => undefined);
      opened?.part?.close();
      opened?.desktop.close();
    },
  };
}

function open<Part>(state: State<Part>): Promise<Opened<Part>> {
  if (state.opening) return state.opening;
  const opening: Promise<Opened<Part>> = openOnDesktop(state, () => {
    if (state.opening !== opening) return;
    state.options.onLost?.();
    reopenLater(state);
  });
  state.opening = opening;
  opening.then(
    () => (state.whyNot = undefined),
    (error: unknown) => {
      if (state.opening !== opening) return;
      logOnce(state, error);
      reopenLater(state);
    },
  );
  return opening;
}

async function openOnDesktop<Part>(
  { context, options }: State<Part>,
  onLost: () => void,
): Promise<Opened<Part>> {
  const desktop = await context.platform.desktop();
  desktop.onClose(onLost);
  try {
    return { desktop, part: await options.open(desktop) };
  } catch (error) {
    desktop.close();
    throw error;
  }
}

function logOnce<Part>(state: State<Part>, error: unknown): void {
  const whyNot = error instanceof Error ? error.message : String(error);
  if (whyNot !== state.whyNot) state.context.log(`${state.options.failure}: ${whyNot}`);
  state.whyNot = whyNot;
}

function reopenLater<Part>(state: State<Part>): void {
  state.opening = undefined;
  if (state.isOver) return;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => void open(state).catch(() => undefined), reopenMs).unref();
}
