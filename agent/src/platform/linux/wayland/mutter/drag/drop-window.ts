/**
 * An invisible window on XWayland that takes what a program drags on a GNOME desktop. Mutter passes drags of Wayland programs on to
 * X11 windows, and offers no other way to take them. It covers the whole desktop while files are dragged outside of the picture,
 * because it cannot follow the pointer in time.
 */
import type { ScreenSize } from '../../../../desktop.ts';
import type { DropListener, DropTarget } from '../../../../drag/file-drags.ts';
import { NotPossible } from '../../../../platform.ts';
import type { UriDrags } from '../../../drag/reachable-drags.ts';
import type { X11Connection } from '../../../x11/connection.ts';
import { convertSelection } from '../../../x11/drag/convert-selection.ts';
import { takeDrags, type DropWindow } from '../../../x11/drag/take-drags.ts';
import type { XdndAtoms } from '../../../x11/drag/xdnd-atoms.ts';
import type { SessionBus } from '../../dbus/session-bus.ts';
import { repeatMotion } from './repeat-motion.ts';

interface Deps {
  bus: SessionBus;
  connection: X11Connection;
  atoms: XdndAtoms;
  /** Of windows with pixels that can be transparent. */
  visual: number;
}

const [inputOutput, transparentDepth] = [1, 32];

export const prepareMutterDropWindow =
  (bus: SessionBus) =>
  async (connection: X11Connection, atoms: XdndAtoms): Promise<UriDrags['openTarget']> => {
    const [visual] = Object.keys(connection.screen.depths[transparentDepth] ?? {}).map(Number);
    if (visual === undefined) throw new NotPossible('XWayland has no transparent windows.');
    const deps: Deps = { bus, connection, atoms, visual };
    return (position, listener) => showDropWindow(deps, position, listener);
  };

function showDropWindow(deps: Deps, { x }: { x: number }, listener: DropListener<string>): DropTarget {
  const { bus, connection, atoms } = deps;
  const { window, show, destroy } = createWindow(deps);
  const place: DropWindow = { connection, atoms, window };
  // During drags of X11 programs a window of Mutter covers the desktop too.
  const stopMotion = repeatMotion(bus, x > 0 ? -1 : 1, () => connection.client.RaiseWindow(window));
  const stopTaking = takeDrags(place, {
    onFiles(uriList) {
      stopMotion();
      return listener.onFiles(uriList);
    },
    onAccepted: () => void answered(place).then(listener.onAccepted, () => {}),
    onDrop: listener.onDrop,
  });
  show();
  return {
    move() {},
    close() {
      stopMotion();
      stopTaking();
      destroy();
    },
  };
}

interface TransparentWindow {
  window: number;
  show(): void;
  destroy(): void;
}

/** Above all other windows, and without the focus. */
function createWindow({ connection, visual }: Deps): TransparentWindow {
  const { client, root, call } = connection;
  const [window, colormap] = [client.AllocID(), client.AllocID()];
  client.CreateColormap(colormap, root, visual, 0);
  const values = { backgroundPixel: 0, borderPixel: 0, colormap, overrideRedirect: true };
  client.CreateWindow(window, root, 0, 0, 1, 1, 0, transparentDepth, inputOutput, visual, values);
  let isOpen = true;
  const cover = ({ width, height }: ScreenSize): void => {
    if (!isOpen) return;
    client.MoveResizeWindow(window, 0, 0, width, height);
    client.MapWindow(window);
  };
  return {
    window,
    // The display may have another size now than when it was opened.
    show: () => void call<ScreenSize>((done) => client.GetGeometry(root, done)).then(cover, () => {}),
    destroy() {
      isOpen = false;
      client.DestroyWindow(window);
      client.FreeColormap(colormap);
    },
  };
}

/** The button is released on another connection than what the window says: Mutter has read it once it has answered this. */
const answered = ({ connection, atoms, window }: DropWindow): Promise<unknown> =>
  convertSelection(connection, {
    window,
    property: atoms.DRAWBRIDGE_DRAG,
    selection: atoms.XdndSelection,
    target: atoms.TARGETS,
    time: 0,
  });
