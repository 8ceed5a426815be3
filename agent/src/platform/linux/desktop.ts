/** The desktop of whoever works on the device: that of its X11 display, or the one that a VNC server of the device shows. */
import type { Desktop } from '../desktop.ts';
import { openScreenSource } from './screen-source.ts';
import { createVncDesktop } from './vnc/desktop.ts';
import { createX11Desktop } from './x11/desktop.ts';

export async function openDesktop(): Promise<Desktop> {
  const source = await openScreenSource();
  return source.vnc ? createVncDesktop(source.vnc, source.xwayland) : createX11Desktop(source.display);
}

/**
 * Gives back the picture of a screen that an agent blacked out before it was killed: a screen that is black already gets
 * it back when a new shield is lowered.
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
