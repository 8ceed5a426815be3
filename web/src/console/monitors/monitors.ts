/** Which monitors the operator sees: one or all in the console, and any of them in windows of their own. */
import type { CursorUpdate } from '@drawbridge/contract/session/screen-frames';
import { consoleTexts } from '../texts.ts';
import type { RemoteScreen } from '../screen/remote-screen.ts';
import type { ScreenViewOptions } from '../screen/screen-view.ts';
import { openMonitorWindow, type MonitorWindow } from './monitor-window.ts';
import { loadMonitors, saveMonitors, type SavedMonitors } from './saved-monitors.ts';

export interface Monitors {
  /** Shows this monitor in the console, or all with -1. */
  choose(monitor: number): void;
  hasWindow(name: string): boolean;
  toggleWindow(name: string): void;
  /** Whether a window of a monitor is visible. */
  areVisible(): boolean;
  /** Dims the old picture of a device that is away. */
  dim(isAway: boolean): void;
  /** Shows what was chosen before, when the device says which monitors it has. */
  restore(): void;
  /** Closes the windows. */
  close(): void;
}

export interface MonitorsOptions extends Omit<ScreenViewOptions, 'screen' | 'origin' | 'cursor'> {
  screen: RemoteScreen;
  /** Called when the browser did not allow a window. */
  onBlocked(): void;
  /** Called when a window became visible or invisible. */
  onVisibility(): void;
}

interface State {
  options: MonitorsOptions;
  /** What the operator chose for this device. */
  chosen: SavedMonitors;
  windows: Map<string, MonitorWindow>;
  isRestored: boolean;
  /** The pointer, with its last shape. */
  cursor: CursorUpdate | undefined;
}

/** A window shows a part of the picture of all monitors. */
const all = -1;

export function createMonitors(options: MonitorsOptions): Monitors {
  const { session, screen } = options;
  const state: State = {
    options,
    chosen: loadMonitors(session.device.id),
    windows: new Map(),
    isRestored: false,
    cursor: undefined,
  };
  session.on('cursor', (cursor) => (state.cursor = { ...state.cursor, ...cursor }));
  screen.onLayout(() => followLayout(state));
  return {
    choose: (monitor) => choose(state, monitor),
    hasWindow: (name) => state.windows.has(name),
    toggleWindow: (name) => toggleWindow(state, name),
    areVisible: () => [...state.windows.values()].some((each) => each.isVisible()),
    dim: (isAway) => state.windows.forEach(({ container }) => container.classList.toggle('away', isAway)),
    restore: () => void (state.isRestored = false),
    close: () => closeAll(state),
  };
}

/** Quick support has another device each time. */
function remember(state: State, chosen: SavedMonitors): void {
  const { device, client } = state.options.session;
  state.chosen = chosen;
  if (client === undefined) saveMonitors(device.id, chosen);
}

const closeAll = ({ windows }: State): void => {
  const open = [...windows.values()];
  // Those that are not listed are not forgotten when they close.
  windows.clear();
  for (const each of open) each.close();
};

function choose(state: State, monitor: number): void {
  const { session, screen } = state.options;
  if (monitor !== all) closeAll(state);
  const shown = monitor === all ? null : screen.layout?.monitors[monitor]?.name;
  remember(state, { shown, windows: [...state.windows.keys()] });
  session.send('view', { monitor });
}

function toggleWindow(state: State, name: string): void {
  const { session, screen, onBlocked } = state.options;
  const open = state.windows.get(name);
  if (open) return open.close();
  if (!openWindow(state, name)) return onBlocked();
  remember(state, { shown: null, windows: [...state.windows.keys()] });
  if (screen.layout?.current !== all) session.send('view', { monitor: all });
}

function openWindow(state: State, name: string): boolean {
  const { options, windows, cursor } = state;
  const { layout } = options.screen;
  const part = layout?.monitors.find((each) => each.name === name);
  if (!part) return true;
  const device = options.session.device.name || consoleTexts.product;
  const own = openMonitorWindow({
    ...options,
    cursor,
    title: `${name} · ${device}`,
    part,
    onClose() {
      if (!windows.delete(name)) return;
      remember(state, { ...state.chosen, windows: [...windows.keys()] });
      options.onVisibility();
    },
  });
  if (!own) return false;
  windows.set(name, own);
  if (layout?.current === all) own.show(part);
  return true;
}

function followLayout(state: State): void {
  const { monitors, current } = state.options.screen.layout!;
  if (!state.isRestored) restore(state);
  for (const [name, own] of state.windows) {
    const part = monitors.find((each) => each.name === name);
    if (part && current === all) own.show(part);
    if (part) continue;
    state.windows.delete(name);
    own.close();
  }
}

function restore(state: State): void {
  const { session, screen, onBlocked } = state.options;
  const { monitors, current } = screen.layout!;
  state.isRestored = true;
  if (monitors.length < 2) return;
  const { shown, windows } = state.chosen;
  const monitor = shown === null ? all : monitors.findIndex(({ name }) => name === shown);
  const isKnown = shown === null || monitor >= 0;
  if (isKnown && monitor !== current) session.send('view', { monitor });
  const missing = windows.filter((name) => !state.windows.has(name));
  if (!missing.every((name) => openWindow(state, name))) onBlocked();
}
