/** The desktop of an X11 display. */
import type { SharedRef } from '../../helper/ref-counted.ts';
import { withShieldMark } from '../../marks/shield-mark.ts';
import { askQuestion, showMessage } from '../../panes/ask.ts';
import { showBanner } from '../../panes/banner.ts';
import { openCapture } from './capture.ts';
import { showChatLine } from '../../panes/chat.ts';
import { openClipboard } from './clipboard.ts';
import type { LinuxDesktop } from '../drag/reachable-drags.ts';
import type { X11Connection } from './connection.ts';
import { prepareDropWindow } from './drag/drop-window.ts';
import { openUriDrags } from './drag/file-drags.ts';
import { openInput } from './input.ts';
import { layoutOf } from './layout.ts';
import { watchLayout } from './layout-watch.ts';
import { resizeScreen } from './resize.ts';
import { raiseShield } from './shield.ts';
import { paneScreenOf } from './windows/pane.ts';

export function createX11Desktop({ value: connection, release }: SharedRef<X11Connection>): LinuxDesktop {
  const stops: (() => void)[] = [];
  let isOpen = true;
  return {
    layout: () => layoutOf(connection),
    onLayout: (listener) => void stops.push(watchLayout(connection, listener)),
    onClose: (listener) => connection.onClose(() => isOpen && listener()),
    capture: () => openCapture(connection),
    resize: (width, height) => resizeScreen(connection, width, height),
    input: () => openInput(connection),
    clipboard: () => openClipboard(connection),
    uriDrags: () => openUriDrags(connection, prepareDropWindow),
    shield: () => withShieldMark(() => raiseShield(connection)),
    banner: (text) => showBanner(paneScreenOf(connection), text),
    ask: (question, seconds, signal) => askQuestion(paneScreenOf(connection), { question, seconds, signal }),
    inform: (question, seconds, signal) =>
      showMessage(paneScreenOf(connection), { question, seconds, signal }),
    chat: (name, text, onReply) => showChatLine(paneScreenOf(connection), { name, text, onReply }),
    close: () => {
      isOpen = false;
      for (const stop of stops) stop();
      release();
    },
  };
}
