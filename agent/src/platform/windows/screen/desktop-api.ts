/** The functions of Windows for a process that works with pixels of the screen. */
import { loadWindowsApi, type WindowsApi } from '../api/windows-api.ts';

/** Each monitor has its own scale, and Windows does not convert coordinates for the process. */
const perMonitorV2 = -4;

let isAware = false;

export async function loadDesktopApi(): Promise<WindowsApi> {
  const api = await loadWindowsApi();
  // It can be set only once, and Windows before 10 does not have it.
  if (!isAware)
    try {
      api.SetProcessDpiAwarenessContext(perMonitorV2);
    } catch {
      // Coordinates are then those of a screen without scaling.
    }
  isAware = true;
  return api;
}
