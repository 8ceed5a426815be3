/** The desktop of KWin, through the interfaces that it grants to the agent's helper. */
import { createSharedCaptures } from '../../../helper/shared-capture.ts';
import { NotPossible } from '../../../platform.ts';
import { openCompositorClipboard } from '../compositor/clipboard.ts';
import { createContext } from '../compositor/context.ts';
import { createPaneScreen } from '../compositor/pane-screen.ts';
import { layoutOfMonitors } from '../compositor/shared-monitors.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { createDesktopEnd } from '../desktop-end.ts';
import type { FrameMemory } from '../frame-memory.ts';
import { paneWindows } from '../pane-windows.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { busGone } from '../xwayland/agent-windows.ts';
import { openKdeCapture } from './capture.ts';
import { openKdeInput } from './input.ts';
import { watchKdeLocks } from './locks.ts';
import { fakeInput, kdeKinds, screencast } from './protocol.ts';

const lockedNote =
  'The screen of the device is locked. Some desktops send no picture until somebody unlocks it there.';

export async function openKdeDesktop(
  connection: WaylandConnection,
  bus: SessionBus,
  memory: FrameMemory,
): Promise<WaylandDesktop> {
  const context = await createContext(connection, memory);
  const manager = context.bind(kdeKinds.screencast, screencast.version)!;
  const device = context.bind(kdeKinds.fakeInput, fakeInput.version)!;
  connection.request(device, fakeInput.authenticate, ['Drawbridge', 'remote access']);
  const locks = await watchKdeLocks(context);
  const end = createDesktopEnd(() => {
    connection.close();
    bus.close();
  });
  bus.onClose(() => end.lose(busGone));
  connection.onClose(() => end.lose(connection.whyClosed()!));
  return {
    ...paneWindows(await createPaneScreen(context)),
    layout: async () => layoutOfMonitors(context.outputs.list()),
    onLayout: (listener) => context.outputs.onChange(listener),
    onClose: end.onClose,
    whyClosed: end.whyClosed,
    lockedNote,
    capture: createSharedCaptures(() => openKdeCapture(context, manager, end)),
    input: () => openKdeInput(context, bus, device, locks),
    clipboard: () => openCompositorClipboard(context),
    async resize() {
      throw new NotPossible('The size of this desktop can be changed only in its own settings.');
    },
    async shield() {
      throw new NotPossible(
        'A KDE desktop cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
    close: end.close,
  };
}
