/** Opens the desktop of the device: its X11 display, its Wayland desktop, or the one that a VNC server of the device shows. */
import type { Desktop } from '../desktop.ts';
import { wasLeftShielded } from '../marks/shield-mark.ts';
import { openX11Source } from './screen-source.ts';
import { openShownDesktop } from './shown-desktop.ts';
import { createX11Desktop } from './x11/desktop.ts';

export async function openDesktop(): Promise<Desktop> {
  const desktop = await openShownDesktop();
  // Only after an agent was killed: otherwise the last session has restored the size, or still uses it.
  await desktop.restoreSize().catch(() => {});
  return desktop;
}

/** Opens and closes the screen as a session does, without reading it. Only on X11: a Wayland desktop may ask the person. */
export async function openScreenOnce(): Promise<void> {
  const display = await openX11Source();
  if (!display) return;
  const desktop = createX11Desktop(display);
  try {
    await desktop.layout();
    (await desktop.capture()).close();
  } finally {
    desktop.close();
  }
}

/**
 * Restores a screen that an agent resized or blacked out before it was killed. Opening the desktop restores the size;
 * raising and lowering a new shield restores the picture.
 */
export async function recoverScreen(): Promise<void> {
  const desktop = await openDesktop();
  try {
    const lower = wasLeftShielded() ? await desktop.shield() : undefined;
    await lower?.();
  } finally {
    desktop.close();
  }
}
