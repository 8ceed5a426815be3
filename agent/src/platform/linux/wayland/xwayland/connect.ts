/** Connects to XWayland of the person's desktop, on which the agent shows its windows. */
import { join } from 'node:path';
import { NotPossible } from '../../../platform.ts';
import { findDisplays, type DisplayAddress } from '../../display.ts';
import { connectToDisplay, type X11Connection } from '../../x11/connection.ts';
import { isXwayland } from '../../x11/layout.ts';
import { isStartedBy, peerOf } from '../peer-process.ts';

/** Longer than other displays may take: GNOME starts XWayland only when a program connects to it. */
const startTimeoutMs = 20_000;

/** Throws NotPossible if there is none. */
export async function connectToXwayland(): Promise<X11Connection> {
  const own = process.getuid!();
  const found = (await findDisplays()).filter(({ uid = own }) => uid === own);
  const compositor = await peerOf(waylandSocket());
  const belongs = await Promise.all(found.map((each) => isOfCompositor(each, compositor)));
  const displays = found.filter((_, index) => belongs[index]);
  if (displays.length === 0)
    throw cannotTell('Install the package xwayland, and let the person sign in again.');
  const connection = await connectToDisplay(displays, startTimeoutMs).catch((error: Error) => {
    throw cannotTell(error.message);
  });
  if (await isXwayland(connection)) return connection;
  connection.close();
  throw cannotTell(`The display ${connection.display} does not belong to it.`);
}

const waylandSocket = (): string =>
  join(process.env['XDG_RUNTIME_DIR'] ?? '', process.env['WAYLAND_DISPLAY'] ?? '');

/** A person may have several desktops; a window on another one would tell nobody. A process that is not visible is believed. */
async function isOfCompositor({ socket }: DisplayAddress, compositor: number | undefined): Promise<boolean> {
  const peer = socket === undefined ? undefined : await peerOf(socket);
  if (peer === undefined || compositor === undefined) return true;
  return isStartedBy(peer, compositor);
}

const cannotTell = (why: string): NotPossible =>
  new NotPossible(
    `The person at the device cannot be told who is connected, because their desktop has no XWayland. ${why}`,
  );
