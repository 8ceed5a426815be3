/** A desktop that is seen and moved through a VNC server of the device, and on which the agent's own windows are guests. */
import type { Desktop } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { SharedRef } from '../ref-counted.ts';
import { askQuestion } from '../x11/ask.ts';
import { showBanner } from '../x11/banner.ts';
import { showChatLine } from '../x11/chat.ts';
import type { X11Connection } from '../x11/connection.ts';
import { openCapture } from './capture.ts';
import { openClipboard } from './clipboard.ts';
import { openInput } from './input.ts';
import { layoutOf, resizeScreen } from './layout.ts';
import type { VncConnection } from './connection.ts';

/** `xwayland`: the X11 display inside of the desktop, on which the person there sees who is connected. */
export function createVncDesktop(vnc: SharedRef<VncConnection>, xwayland: SharedRef<X11Connection>): Desktop {
  const layoutListeners: (() => void)[] = [];
  const closeListeners: (() => void)[] = [];
  let [isOpen, usesVnc] = [true, false];
  /** A banner alone outlives the server: whoever is still connected is still named. */
  const used = (): VncConnection => {
    if (!vnc.value.isOpen()) throw vnc.value.whyClosed();
    usesVnc = true;
    return vnc.value;
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of layoutListeners) vnc.value.events.off('layout', listener);
    vnc.release();
    xwayland.release();
  };
  const lose = (): void => {
    if (!isOpen) return;
    close();
    for (const tell of closeListeners) tell();
  };
  vnc.value.onClose(() => (usesVnc ? lose() : vnc.release()));
  xwayland.value.onClose(lose);
  return {
    layout: async () => layoutOf(used()),
    onLayout(listener) {
      layoutListeners.push(listener);
      vnc.value.events.on('layout', listener);
    },
    onClose: (listener) => void closeListeners.push(listener),
    capture: async () => openCapture(used()),
    input: async () => openInput(used()),
    clipboard: async () => openClipboard(used()),
    resize: async (width, height) => resizeScreen(used(), width, height),
    async shield() {
      throw new NotPossible(
        'This screen is shown through VNC. It cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
    banner: (text) => showBanner(xwayland.value, text),
    ask: (question, seconds, signal) => askQuestion(xwayland.value, { question, seconds, signal }),
    chat: (name, text, onReply) =>
      showChatLine(xwayland.value, { name, text, onReply, isUnderWayland: true }),
    close,
  };
}
