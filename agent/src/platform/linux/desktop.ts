/** Opens the desktop of the device: its X11 display, or the one that a VNC server of the device shows. */
import type { Desktop } from '../desktop.ts';
import { openScreenSource } from './screen-source.ts';
import { createVncDesktop } from './vnc/desktop.ts';
import { createX11Desktop } from './x11/desktop.ts';

export async function openDesktop(): Promise<Desktop> {
  const source = await openScreenSource();
  return source.vnc ? createVncDesktop(source.vnc, source.xwayland) : createX11Desktop(source.display);
}

/**
 * Restores a screen that an agent blacked out before it was killed. Raising and lowering a new shield restores the
 * picture.
 */
export async function recoverScreen(): Promise<void> {
  const desktop = await openDesktop();
  try {
    await (
      await desktop.shield()
    )();
  } finally {
    desktop.close();
  }
}
