/** The desktop of the user at a Windows device, and the login screen and the questions of Windows in front of it. */
import type { Desktop } from '../desktop.ts';
import { createSharedCaptures } from '../helper/shared-capture.ts';
import { withSizeRestored } from '../marks/screen-size.ts';
import { askQuestion, showMessage } from '../panes/ask.ts';
import { showBanner } from '../panes/banner.ts';
import { showChatLine } from '../panes/chat.ts';
import type { WindowsApi } from './api/windows-api.ts';
import { openClipboard } from './clipboard.ts';
import { openInput } from './input/input.ts';
import { inputDesktopsOf } from './input-desktop/connect-desktop.ts';
import { followCapture } from './input-desktop/follow-capture.ts';
import { followDesktop } from './input-desktop/follow-desktop.ts';
import { paneScreen } from './panes/pane.ts';
import { desktopArea } from './screen/bitmap.ts';
import { openCapture } from './screen/capture.ts';
import { loadDesktopApi } from './screen/desktop-api.ts';
import { layoutOf, resizeScreen, watchLayout } from './screen/layout.ts';
import { raiseShield } from './screen/shield.ts';

/** All sessions share one, because Windows duplicates a monitor only once for each program. */
const acquireCapture = createSharedCaptures(async () => {
  const api = await loadDesktopApi();
  const whole = { ...desktopArea(api), x: 0, y: 0 };
  return followCapture(await openCapture(api), inputDesktopsOf(api), whole);
});

/** The desktop of the agent's own windows. */
export function openOwnDesktop(api: WindowsApi): Omit<Desktop, 'restoreSize'> {
  const stops: (() => void)[] = [];
  return {
    layout: async () => layoutOf(api),
    onLayout: (listener) => void stops.push(watchLayout(api, listener)),
    // Windows ends the agent's process in a session when its user signs out.
    onClose: () => {},
    capture: acquireCapture,
    input: async () => openInput(api),
    clipboard: async () => openClipboard(api),
    resize: async (width, height) => resizeScreen(api, width, height),
    shield: () => raiseShield(api),
    banner: (text) => showBanner(paneScreen(api), text),
    ask: (question, seconds, signal) => askQuestion(paneScreen(api), { question, seconds, signal }),
    inform: (question, seconds, signal) => showMessage(paneScreen(api), { question, seconds, signal }),
    chat: (name, text, onReply) => showChatLine(paneScreen(api), { name, text, onReply }),
    close: () => stops.forEach((stop) => stop()),
  };
}

export async function openDesktop(): Promise<Desktop> {
  const api = await loadDesktopApi();
  const own = openOwnDesktop(api);
  const desktop = withSizeRestored({ ...own, ...followDesktop(own, inputDesktopsOf(api)) });
  // Only after an agent was killed: otherwise the last session has restored the size, or still uses it.
  await desktop.restoreSize().catch(() => {});
  return desktop;
}

/** Restores a screen that an agent resized before it was killed. */
export const recoverScreen = async (): Promise<void> => (await openDesktop()).close();
