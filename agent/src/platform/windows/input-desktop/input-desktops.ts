/**
 * Follows mouse and keyboard to other desktops: Windows shows its login screen, and questions that need an administrator, on a desktop
 * of their own, which only processes on that desktop can show and control.
 */
import type { Desktop } from '../../desktop.ts';
import type { Closable } from '../../helper/ref-counted.ts';

export type InputDesktop = Pick<Desktop, 'capture' | 'input' | 'banner' | 'ask'>;

export interface InputDesktops {
  /** The desktop that has mouse and keyboard; undefined while that is the agent's own, and until the other one can be used. */
  current(): InputDesktop | undefined;
  /** Resolves when a desktop that was found can be used, or cannot. */
  ready(): Promise<void>;
  /** Called when it changes; the returned function unsubscribes. */
  onChange(listener: () => void): () => void;
}

export type ConnectedDesktop = InputDesktop & Closable;

interface InputDesktopsDeps {
  /** The name of the desktop that has mouse and keyboard; undefined if it is the agent's own. */
  look(): string | undefined;
  connect(name: string): Promise<ConnectedDesktop>;
}

interface Entry {
  name: string;
  desktop?: ConnectedDesktop | undefined;
  opening?: Promise<void>;
}

const everyMs = 250;
const retryMs = 2_000;

interface State extends InputDesktopsDeps {
  entry: Entry | undefined;
  listeners: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
}

/** Looks for another desktop only while somebody listens. */
export function createInputDesktops(deps: InputDesktopsDeps): InputDesktops {
  const state: State = { ...deps, entry: undefined, listeners: new Set(), timer: undefined };
  return {
    current: () => state.entry?.desktop,
    ready: async () => state.entry?.opening,
    onChange(listener) {
      state.listeners.add(listener);
      state.timer ??= setInterval(follow, everyMs, state);
      if (state.listeners.size === 1) follow(state);
      return () => {
        if (!state.listeners.delete(listener) || state.listeners.size > 0) return;
        clearInterval(state.timer);
        state.timer = undefined;
        change(state, undefined);
      };
    },
  };
}

const notify = ({ listeners }: State): void => listeners.forEach((listener) => listener());

function change(state: State, next: Entry | undefined): void {
  const desktop = state.entry?.desktop;
  state.entry = next;
  desktop?.close();
  if (desktop) notify(state);
}

function follow(state: State): void {
  const name = state.look();
  if (name === state.entry?.name) return;
  const next: Entry | undefined = name === undefined ? undefined : { name };
  change(state, next);
  if (next) next.opening = open(state, next);
}

async function open(state: State, entry: Entry): Promise<void> {
  try {
    const desktop = await state.connect(entry.name);
    if (state.entry !== entry) return desktop.close();
    entry.desktop = desktop;
    desktop.onClose(() => lose(state, entry));
    notify(state);
  } catch {
    retry(state, entry);
  }
}

function lose(state: State, entry: Entry): void {
  if (state.entry !== entry) return;
  entry.desktop = undefined;
  notify(state);
  retry(state, entry);
}

const retry = (state: State, failed: Entry): void =>
  void setTimeout(() => void (state.entry === failed && change(state, undefined)), retryMs).unref();
