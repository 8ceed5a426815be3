/** Opens the desktop of the device: its X11 display, its Wayland desktop, or the one that a VNC server of the device shows. */
import type { Desktop } from '../desktop.ts';
import { openScreenSource, type ScreenSource } from './screen-source.ts';
import { withSizeRestored } from '../marks/screen-size.ts';
import { wasLeftShielded } from '../marks/shield-mark.ts';
import { createVncDesktop } from './vnc/desktop.ts';
import { createX11Desktop } from './x11/desktop.ts';

export async function openDesktop(): Promise<Desktop> {
  const source = await openScreenSource();
  const desktop = withSizeRestored(toDesktop(source));
  // Only after an agent was killed: otherwise the last session has restored the size, or still uses it.
  await desktop.restoreSize().catch(() => {});
  return desktop;
}

function toDesktop(source: ScreenSource): Omit<Desktop, 'restoreSize'> {
  if (source.wayland) return source.wayland;
  return source.vnc ? createVncDesktop(source.vnc, source.xwayland) : createX11Desktop(source.display);
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
