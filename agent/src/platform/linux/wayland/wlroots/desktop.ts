/** The desktop of a compositor that is based on wlroots, such as sway. */
import type { Layout } from '../../../desktop.ts';
import { askQuestion, showMessage } from '../../../panes/ask.ts';
import { showBanner } from '../../../panes/banner.ts';
import { showChatLine } from '../../../panes/chat.ts';
import { NotPossible } from '../../../platform.ts';
import type { FrameMemory } from '../frame-memory.ts';
import type { WaylandDesktop } from '../wayland-path.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { createCaptures } from './capture.ts';
import { openClipboard } from '../compositor/clipboard.ts';
import { createContext } from '../compositor/context.ts';
import { openInput } from './input.ts';
import type { PlacedOutput } from '../compositor/outputs.ts';
import { createPaneScreen } from '../compositor/pane-screen.ts';
import { watchHeads, type ScreenResizer } from './resize.ts';

const lockedNote =
  'The screen of the device is locked. You see the lock screen as the person does, and it covers the banner.';

export async function createWlrootsDesktop(
  connection: WaylandConnection,
  memory: FrameMemory,
): Promise<WaylandDesktop> {
  const context = await createContext(connection, memory);
  const resizer = await watchHeads(context);
  const paneScreen = await createPaneScreen(context);
  const openCapture = createCaptures(context);
  // Without a keyboard of its own, a device would lose the first keys, until programs have noticed the virtual one.
  await openInput(context);
  return {
    layout: async () => layoutOf(context.outputs.list(), resizer),
    onLayout: (listener) => context.outputs.onChange(listener),
    onClose: (listener) => connection.onClose(() => listener(connection.whyClosed())),
    whyClosed: () => connection.whyClosed(),
    lockedNote,
    capture: openCapture,
    input: () => openInput(context),
    clipboard: () => openClipboard(context),
    resize: resizer.resize,
    async shield() {
      throw new NotPossible(
        'On this Wayland desktop the screen cannot be blacked out for the person alone, and their mouse and keyboard cannot be blocked.',
      );
    },
    banner: (text) => showBanner(paneScreen, text),
    ask: (question, seconds, signal) => askQuestion(paneScreen, { question, seconds, signal }),
    inform: (question, seconds, signal) => showMessage(paneScreen, { question, seconds, signal }),
    chat: (name, text, onReply) => showChatLine(paneScreen, { name, text, onReply }),
    close: () => connection.close(),
  };
}

function layoutOf(outputs: readonly PlacedOutput[], resizer: ScreenResizer): Layout {
  if (outputs.length === 0) throw new NotPossible('No monitor of the device is switched on.');
  return {
    width: Math.max(...outputs.map(({ box }) => box.x + box.width)),
    height: Math.max(...outputs.map(({ box }) => box.y + box.height)),
    monitors: outputs.map(({ name, box }, index) => ({ name, ...box, primary: index === 0 })),
    sizes: resizer.sizes(),
  };
}
