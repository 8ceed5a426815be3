/** The keyboard of one of the agent's windows on a compositor with layer-shell, where a click into another window may not take it away. */
import type { LayerSurface } from './layer-surface.ts';

/** Someone who types nothing for so long into the window is using others, which get no key until then. */
const idleTimeoutMs = 30_000;

export interface PaneKeyboard {
  take(): void;
  giveBack(): void;
  /** Called for each key. False if the window has given the keyboard back: KWin then sends it keys until another one is clicked. */
  acceptKey(): boolean;
}

export function createPaneKeyboard({ focus, blur }: Pick<LayerSurface, 'focus' | 'blur'>): PaneKeyboard {
  let idle: NodeJS.Timeout | undefined;
  const giveBack = (): void => {
    if (!idle) return;
    clearTimeout(idle);
    idle = undefined;
    blur();
  };
  const keep = (): void => {
    clearTimeout(idle);
    idle = setTimeout(giveBack, idleTimeoutMs).unref();
  };
  return {
    take() {
      keep();
      focus();
    },
    giveBack,
    acceptKey() {
      if (idle) keep();
      return idle !== undefined;
    },
  };
}
