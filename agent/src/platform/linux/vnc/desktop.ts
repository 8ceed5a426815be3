/** A Wayland desktop that is shown and controlled through a VNC server of the device, with the agent's own windows on Xwayland. */
import type { Desktop } from '../../desktop.ts';
import { NotPossible } from '../../platform.ts';
import type { SharedRef } from '../../helper/ref-counted.ts';
import { askQuestion, showMessage } from '../../panes/ask.ts';
import { showBanner } from '../../panes/banner.ts';
import type { PaneScreen } from '../../panes/pane.ts';
import { showChatLine } from '../../panes/chat.ts';
import type { X11Connection } from '../x11/connection.ts';
import { paneScreenOf } from '../x11/windows/pane.ts';
import { openCapture } from './capture.ts';
import { openClipboard } from './clipboard.ts';
import { openInput } from './input.ts';
import { layoutOf, resizeScreen } from './layout.ts';
import type { VncConnection } from './connection.ts';

interface State {
  vnc: SharedRef<VncConnection>;
  /** The X11 display inside the Wayland desktop, on which the person sees who is connected. */
  xwayland: SharedRef<X11Connection>;
  layoutListeners: (() => void)[];
  closeListeners: (() => void)[];
  isOpen: boolean;
  usesVnc: boolean;
}

export function createVncDesktop(
  vnc: SharedRef<VncConnection>,
  xwayland: SharedRef<X11Connection>,
): Omit<Desktop, 'restoreSize'> {
  const layoutListeners: (() => void)[] = [];
  const closeListeners: (() => void)[] = [];
  const state: State = { vnc, xwayland, layoutListeners, closeListeners, isOpen: true, usesVnc: false };
  // If only the banner is used, it stays when the VNC server ends, so that the person still sees who is connected.
  vnc.value.onClose(() => (state.usesVnc ? lose(state) : vnc.release()));
  xwayland.value.onClose(() => lose(state));
  const paneScreen = (): PaneScreen => paneScreenOf(xwayland.value, true);
  return {
    layout: async () => layoutOf(useVnc(state)),
    onLayout(listener) {
      layoutListeners.push(listener);
      vnc.value.events.on('layout', listener);
    },
    onClose: (listener) => void closeListeners.push(listener),
    capture: async () => openCapture(useVnc(state)),
    input: async () => openInput(useVnc(state)),
    clipboard: async () => openClipboard(useVnc(state)),
    resize: async (width, height) => resizeScreen(useVnc(state), width, height),
    async shield() {
      throw new NotPossible(
        'This screen is shown through VNC. It cannot be blacked out, and its mouse and keyboard cannot be blocked.',
      );
    },
    banner: (text) => showBanner(paneScreen(), text),
    ask: (question, seconds, signal) => askQuestion(paneScreen(), { question, seconds, signal }),
    inform: (question, seconds, signal) => showMessage(paneScreen(), { question, seconds, signal }),
    chat: (name, text, onReply) => showChatLine(paneScreen(), { name, text, onReply }),
    close: () => close(state),
  };
}

function useVnc(state: State): VncConnection {
  const connection = state.vnc.value;
  if (!connection.isOpen()) throw connection.whyClosed();
  state.usesVnc = true;
  return connection;
}

function close(state: State): void {
  if (!state.isOpen) return;
  state.isOpen = false;
  for (const listener of state.layoutListeners) state.vnc.value.events.off('layout', listener);
  state.vnc.release();
  state.xwayland.release();
}

function lose(state: State): void {
  if (!state.isOpen) return;
  close(state);
  for (const listener of state.closeListeners) listener();
}
