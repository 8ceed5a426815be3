/** What the agent shows to the person at the device, as windows of any kind. */
import { askQuestion, showMessage } from '../../panes/ask.ts';
import { showBanner } from '../../panes/banner.ts';
import { showChatLine } from '../../panes/chat.ts';
import type { PaneScreen } from '../../panes/pane.ts';
import type { WaylandDesktop } from './wayland-path.ts';

export type PaneWindows = Pick<WaylandDesktop, 'banner' | 'ask' | 'inform' | 'chat'>;

export const paneWindows = (paneScreen: PaneScreen): PaneWindows => ({
  banner: (text) => showBanner(paneScreen, text),
  ask: (question, seconds, signal) => askQuestion(paneScreen, { question, seconds, signal }),
  inform: (question, seconds, signal) => showMessage(paneScreen, { question, seconds, signal }),
  chat: (name, text, onReply) => showChatLine(paneScreen, { name, text, onReply }),
});
