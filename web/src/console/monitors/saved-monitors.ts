/** Remembers in this browser which monitors of a device the operator looks at. */

export interface SavedMonitors {
  /** The name of the monitor in the console: null for all of them, undefined if none was chosen. */
  shown: string | null | undefined;
  /** The names of those with a window of their own. */
  windows: readonly string[];
}

const storageKeyOf = (device: number): string => `drawbridge.monitors.${device}`;

export function loadMonitors(device: number): SavedMonitors {
  try {
    const { shown, windows } = JSON.parse(localStorage.getItem(storageKeyOf(device))!) as SavedMonitors;
    return { shown, windows: [...windows] };
  } catch {
    return { shown: undefined, windows: [] };
  }
}

export const saveMonitors = (device: number, monitors: SavedMonitors): void =>
  localStorage.setItem(storageKeyOf(device), JSON.stringify(monitors));
