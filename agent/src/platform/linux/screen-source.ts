/** The source of the screen: the X11 display of the device, its Wayland desktop, or a VNC server that shows that desktop. */
import { NotPossible } from '../platform.ts';
import { refCounted, type Closable, type SharedRef } from '../helper/ref-counted.ts';
import { fetchFramebuffer } from './vnc/capture.ts';
import { connectToVnc, type VncConnection } from './vnc/connection.ts';
import { vncPassword, vncAddress, vncSetting } from './vnc/settings.ts';
import { isBehindWayland } from './seat-takeover.ts';
import { openWaylandDesktop, type OpenedDesktop } from './wayland/desktop.ts';
import { findWaylandSessions, type WaylandSession } from './wayland/wayland-session.ts';
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

const vncAdvice = `A VNC server on the device can show it too: run one for this desktop, such as wayvnc for sway, and set ${vncSetting} to its address.`;

export const acquireVnc = refCounted<VncConnection>(async () => {
  const address = vncAddress();
  if (!address)
    throw new NotPossible(
      `The person at the device uses Wayland, and the agent has not found their desktop: it must run as root, like the service, or as that person. ${vncAdvice}`,
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
  | { display: SharedRef<X11Connection>; vnc?: undefined; wayland?: undefined }
  | { wayland: OpenedDesktop; session: WaylandSession; vnc?: undefined }
  | {
      vnc: SharedRef<VncConnection>;
      /** The X11 display inside the Wayland desktop. */
      xwayland: SharedRef<X11Connection>;
      wayland?: undefined;
    };

export type ScreenshotSource =
  | ScreenSource
  | { vnc: SharedRef<VncConnection>; xwayland?: undefined; wayland?: undefined };

/** Returns why it is not possible instead of throwing it. */
const orReason = <Value>(opening: Promise<Value>): Promise<Value | NotPossible> =>
  opening.catch((error: unknown) => {
    if (error instanceof NotPossible) return error;
    throw error;
  });

/** The X11 display, unless the person uses Wayland and their desktop can be shown without it. */
async function findSource(): Promise<SharedRef<Display> | OpenedWayland | NotPossible> {
  const found = await orReason(acquireDisplay());
  const [session] = await findWaylandSessions();
  if (!(found instanceof NotPossible) && !found.value.isUnderWayland)
    if (!(await isBehindWayland(found.value.connection.display, session))) return found;
  const wayland = session && (await orReason(openWaylandDesktop(session)));
  if (wayland && !(wayland instanceof NotPossible)) {
    if (!(found instanceof NotPossible)) found.release();
    return { wayland, session };
  }
  // Without a VNC server, the reason why the desktop cannot be shown directly is the useful one.
  if (wayland && !process.env[vncSetting]) {
    if (!(found instanceof NotPossible)) found.release();
    throw new NotPossible(`${wayland.message} ${vncAdvice}`);
  }
  if (found instanceof NotPossible && !process.env[vncSetting]) throw found;
  return found;
}

type OpenedWayland = Extract<ScreenSource, { wayland: OpenedDesktop }>;

/** Refuses to show the screen if the agent cannot show its own windows to the person at the device. */
export async function openScreenSource(): Promise<ScreenSource> {
  const found = await findSource();
  if (found instanceof NotPossible)
    throw new NotPossible(
      `The screen is not shown because the person at the device cannot be told who is connected. ${found.message}`,
    );
  return 'wayland' in found ? found : toScreenSource(found);
}

/** The same for a screenshot, which needs no windows. */
export async function openScreenshotSource(): Promise<ScreenshotSource> {
  const found = await findSource();
  if (found instanceof NotPossible) return { vnc: await acquireVnc() };
  return 'wayland' in found ? found : toScreenSource(found);
}

async function toScreenSource(found: SharedRef<Display>): Promise<ScreenSource> {
  const display = { value: found.value.connection, release: found.release };
  if (!found.value.isUnderWayland) return { display };
  try {
    return { vnc: await acquireVnc(), xwayland: display };
  } catch (error) {
    display.release();
    throw error;
  }
}

/** The X11 display; undefined if somebody uses Wayland, whose desktop is then not touched. */
export async function openX11Source(): Promise<SharedRef<X11Connection> | undefined> {
  // A connection to the X11 display of a Wayland desktop could start Xwayland.
  if ((await findWaylandSessions()).length > 0) return undefined;
  const { value, release } = await acquireDisplay();
  if (!value.isUnderWayland) return { value: value.connection, release };
  release();
  return undefined;
}

export function releaseScreenSource(source: ScreenshotSource): void {
  if (source.wayland) return source.wayland.close();
  if (!source.vnc) return source.display.release();
  source.vnc.release();
  source.xwayland?.release();
}
