/** Says for the doctor what each X11 display is: shown itself, XWayland inside a Wayland desktop, or neither. */
import { join } from 'node:path';
import { findDisplays, type DisplayAddress } from './display.ts';
import { isStartedBy, peerOf } from './wayland/peer-process.ts';
import type { WaylandSession } from './wayland/wayland-session.ts';
import { connectToDisplay } from './x11/connection.ts';
import { isXwayland } from './x11/layout.ts';

interface DisplayReport {
  line: string;
  /** Whether sessions could show it. */
  isUsable: boolean;
}

export async function reportDisplays(sessions: readonly WaylandSession[]): Promise<DisplayReport[]> {
  const compositors = await Promise.all(
    sessions.map(({ runtimeFolder, display }) => peerOf(join(runtimeFolder, display)).catch(() => undefined)),
  );
  const displays = await findDisplays();
  return Promise.all(displays.map((each) => reportDisplay(each, compositors)));
}

async function reportDisplay(
  address: DisplayAddress,
  compositors: readonly (number | undefined)[],
): Promise<DisplayReport> {
  const name = `X11 display ${address.display}`;
  const inside = `${name}: XWayland inside a Wayland desktop, which is shown in its place.`;
  // XWayland may not let root in, so its process is asked first.
  if (await isOfCompositor(address, compositors)) return { line: inside, isUsable: false };
  try {
    const connection = await connectToDisplay([address]);
    const isInside = await isXwayland(connection);
    connection.close();
    return isInside
      ? { line: inside, isUsable: false }
      : { line: `${name}: shown directly.`, isUsable: true };
  } catch (error) {
    return { line: `${name}: not used. ${(error as Error).message}`, isUsable: false };
  }
}

async function isOfCompositor(
  { socket }: DisplayAddress,
  compositors: readonly (number | undefined)[],
): Promise<boolean> {
  const peer = socket === undefined ? undefined : await peerOf(socket).catch(() => undefined);
  if (peer === undefined) return false;
  const known = compositors.filter((each) => each !== undefined);
  return (await Promise.all(known.map((each) => isStartedBy(peer, each)))).includes(true);
}
