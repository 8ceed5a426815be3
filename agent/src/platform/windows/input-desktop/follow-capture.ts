/** A capture of the desktop that has mouse and keyboard: the agent's own, or the one of the login screen and the questions of Windows. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { Capture } from '../../desktop.ts';
import type { SharableCapture } from '../../helper/shared-capture.ts';
import type { InputDesktop, InputDesktops } from './input-desktops.ts';

type CursorListener = Parameters<Capture['onCursor']>[0];

/** How long the memory of a capture stays that is no longer shown, because an encoder may still read it. */
const closeDelayMs = 1_000;

interface State {
  own: SharableCapture;
  /** The capture of the other desktop, while that one is shown. */
  other: Capture | undefined;
  /** The desktop that was changed to last. */
  desktop: InputDesktop | undefined;
  /** All of the picture is another one since the last call of `damage`. */
  isOtherPicture: boolean;
  damageListeners: (() => void)[];
  cursorListeners: CursorListener[];
  /** The pointer of the agent's own desktop, with its last shape. */
  ownCursor: Parameters<CursorListener>[0] | undefined;
  isClosed: boolean;
}

const createState = (own: SharableCapture): State => ({
  own,
  other: undefined,
  desktop: undefined,
  isOtherPicture: false,
  damageListeners: [],
  cursorListeners: [],
  ownCursor: undefined,
  isClosed: false,
});

/** `whole`: all of the picture, which has the same size on each desktop. */
export function followCapture(own: SharableCapture, desktops: InputDesktops, whole: Box): SharableCapture {
  const state = createState(own);
  const change = (): void => void changeDesktop(state, desktops.current());
  const stop = desktops.onChange(change);
  change();
  return {
    isCurrent: () => own.isCurrent?.() ?? true,
    async damage() {
      const changed = await (state.other ?? own).damage().catch(() => []);
      if (!state.isOtherPicture) return changed;
      state.isOtherPicture = false;
      return [whole];
    },
    grab: (boxes) => state.other?.grab(boxes).catch(() => own.grab(boxes)) ?? own.grab(boxes),
    onDamage(listener) {
      state.damageListeners.push(listener);
      own.onDamage(() => void (state.other ?? listener()));
    },
    onCursor(listener) {
      state.cursorListeners.push(listener);
      own.onCursor((cursor) => {
        state.ownCursor = { ...state.ownCursor, ...cursor };
        if (!state.other) listener(cursor);
      });
      if (state.other) watchCursor(state, state.other, listener);
    },
    close() {
      state.isClosed = true;
      stop();
      state.other?.close();
      own.close();
    },
  };
}

const watchCursor = (state: State, other: Capture, listener: CursorListener): void =>
  other.onCursor((cursor) => void (state.other === other && listener(cursor)));

async function changeDesktop(state: State, desktop: InputDesktop | undefined): Promise<void> {
  if (desktop === state.desktop) return;
  state.desktop = desktop;
  const next = await desktop?.capture().catch(() => undefined);
  if (state.isClosed || state.desktop !== desktop) return next?.close();
  const previous = state.other;
  if (!previous && !next) return;
  state.other = next;
  state.isOtherPicture = true;
  if (previous) setTimeout(() => previous.close(), closeDelayMs);
  const notify = (): void => state.damageListeners.forEach((listener) => listener());
  next?.onDamage(() => void (state.other === next && notify()));
  for (const listener of state.cursorListeners)
    if (next) watchCursor(state, next, listener);
    else if (state.ownCursor) listener(state.ownCursor);
  notify();
}
