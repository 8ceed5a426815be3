/** The desktop of a compositor that is based on wlroots, such as sway. */
import { NotPossible } from '../../../platform.ts';
import type { FrameMemory } from '../frame-memory.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { createCaptures } from './capture.ts';
import { openCompositorClipboard } from '../compositor/clipboard.ts';
import { createContext } from '../compositor/context.ts';
import { openInput, openStirrer } from './input.ts';
import { uriDragsOf } from '../compositor/drag/uri-drags.ts';
import { createPaneScreen } from '../compositor/pane-screen.ts';
import { layoutOfMonitors } from '../compositor/shared-monitors.ts';
import { paneWindows } from '../pane-windows.ts';
import { watchHeads } from './resize.ts';

const lockedNote =
  'The screen of the device is locked. You see the lock screen as the person does, and it covers the banner.';

export async function createWlrootsDesktop(
  connection: WaylandConnection,
  memory: FrameMemory,
): Promise<WaylandDesktop> {
  const context = await createContext(connection, memory);
  const resizer = await watchHeads(context);
  const uriDrags = uriDragsOf(context, () => openStirrer(context));
  const openCapture = createCaptures(context);
  // Without a keyboard of its own, a device would lose the first keys, until programs have noticed the virtual one.
  await openInput(context);
  return {
    layout: async () => layoutOfMonitors(context.outputs.list(), resizer.sizes()),
    onLayout: (listener) => context.outputs.onChange(listener),
    onClose: (listener) => connection.onClose(() => listener(connection.whyClosed())),
    whyClosed: () => connection.whyClosed(),
    lockedNote,
    capture: openCapture,
    input: () => openInput(context),
    clipboard: () => openCompositorClipboard(context),
    ...(uriDrags && { uriDrags }),
    resize: resizer.resize,
    async shield() {
      throw new NotPossible(
        'On this Wayland desktop the screen cannot be blacked out for the person alone, and their mouse and keyboard cannot be blocked.',
      );
    },
    ...paneWindows(await createPaneScreen(context)),
    close: () => connection.close(),
  };
}
