/** The source of the screen: the X11 display of the device, or its VNC server if that display is only Xwayland. */
import { NotPossible } from '../platform.ts';
import { refCounted, type Closable, type SharedRef } from './ref-counted.ts';
import { fetchFramebuffer } from './vnc/capture.ts';
import { connectToVnc, type VncConnection } from './vnc/connection.ts';
import { vncPassword, vncAddress, vncSetting } from './vnc/settings.ts';
import { connectToDisplay, type X11Connection } from './x11/connection.ts';
import { isXwayland } from './x11/layout.ts';

interface Display extends Closable {
  connection: X11Connection;
  isUnderWayland: boolean;
}

const acquireDisplay = refCounted<Display>(async () => {
  const connection = await connectToDisplay();
  const isUnderWayland = await isXwayland(connection);
  return { connection, isUnderWayland, onClose: connection.onClose, close: connection.close };
});

const acquireVnc = refCounted<VncConnection>(async () => {
  const address = vncAddress();
  if (!address)
    throw new NotPossible(
      `The person at the device uses Wayland, whose screen only a VNC server on the device can show. Run one, such as wayvnc, on 127.0.0.1, and set ${vncSetting} to its address.`,
    );
  const vnc = await connectToVnc(address, await vncPassword());
  try {
    // A server reports its monitors only with the first update.
    await fetchFramebuffer(vnc);
    return vnc;
  } catch (error) {
    vnc.close();
    throw error;
  }
});

/** All users of the same display or server share one connection. */
export type ScreenSource =
  | { display: SharedRef<X11Connection>; vnc?: undefined }
  | {
      vnc: SharedRef<VncConnection>;
      /** The X11 display inside the Wayland desktop. */
      xwayland: SharedRef<X11Connection>;
    };

export type ScreenshotSource = ScreenSource | { vnc: SharedRef<VncConnection>; xwayland?: undefined };

/** A VNC server could show the screen, but there is no display for the agent's own windows. */
class NoWindows extends NotPossible {}

/** Refuses to show the screen if the agent cannot show its own windows to the person at the device. */
export async function openScreenSource(): Promise<ScreenSource> {
  const found = await acquireDisplay().catch((error: unknown) => {
    if (!(error instanceof NotPossible && process.env[vncSetting])) throw error;
    throw new NoWindows(
      `The screen is not shown because the person at the device cannot be told who is connected. ${error.message}`,
    );
  });
  const display = { value: found.value.connection, release: found.release };
  if (!found.value.isUnderWayland) return { display };
  try {
    return { vnc: await acquireVnc(), xwayland: display };
  } catch (error) {
    display.release();
    throw error;
  }
}

/** The same for a screenshot, which needs no windows. */
export const openScreenshotSource = (): Promise<ScreenshotSource> =>
  openScreenSource().catch(async (error: unknown) => {
    if (error instanceof NoWindows) return { vnc: await acquireVnc() };
    throw error;
  });

export function releaseScreenSource(source: ScreenshotSource): void {
  if (!source.vnc) return source.display.release();
  source.vnc.release();
  source.xwayland?.release();
}
