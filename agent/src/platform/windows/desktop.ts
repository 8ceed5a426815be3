/** The desktop of the user at a Windows device. */
import type { Desktop } from '../desktop.ts';
import { withSizeRestored } from '../marks/screen-size.ts';
import { askQuestion } from '../panes/ask.ts';
import { showBanner } from '../panes/banner.ts';
import { showChatLine } from '../panes/chat.ts';
import { openClipboard } from './clipboard.ts';
import { openInput } from './input/input.ts';
import { paneScreen } from './panes/pane.ts';
import { openCapture } from './screen/capture.ts';
import { loadDesktopApi } from './screen/desktop-api.ts';
import { layoutOf, resizeScreen, watchLayout } from './screen/layout.ts';
import { raiseShield } from './screen/shield.ts';

export async function openDesktop(): Promise<Desktop> {
  const api = await loadDesktopApi();
  const stops: (() => void)[] = [];
  const desktop = withSizeRestored({
    layout: async () => layoutOf(api),
    onLayout: (listener) => void stops.push(watchLayout(api, listener)),
    // Windows ends the agent's process in a session when its user signs out.
    onClose: () => {},
    capture: () => openCapture(api),
    input: async () => openInput(api),
    clipboard: async () => openClipboard(api),
    resize: async (width, height) => resizeScreen(api, width, height),
    shield: () => raiseShield(api),
    banner: (text) => showBanner(paneScreen(api), text),
    ask: (question, seconds, signal) => askQuestion(paneScreen(api), { question, seconds, signal }),
    chat: (name, text, onReply) => showChatLine(paneScreen(api), { name, text, onReply }),
    close: () => stops.forEach((stop) => stop()),
  });
  // Only after an agent was killed: otherwise the last session has restored the size, or still uses it.
  await desktop.restoreSize().catch(() => {});
  return desktop;
}

/** Restores a screen that an agent resized before it was killed. */
export const recoverScreen = async (): Promise<void> => (await openDesktop()).close();
