/** The agent's windows on a Windows desktop. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import {
  buttonAt,
  drawButton,
  type Pane,
  type PaneButton,
  type PaneKey,
  type PaneScreen,
  type PaneShape,
} from '../../panes/pane.ts';
import { NotPossible } from '../../platform.ts';
import type { WindowsApi } from '../api/windows-api.ts';
import type { WindowMessage } from '../message-loop.ts';
import { watchLayout } from '../screen/layout.ts';
import { listOutputs } from '../screen/outputs.ts';
import { showAgentWindow, type AgentWindow } from './agent-window.ts';
import { openPainter } from './painter.ts';

let screen: PaneScreen | undefined;

export const paneScreen = (api: WindowsApi): PaneScreen => (screen ??= createScreen(api));

function createScreen(api: WindowsApi): PaneScreen {
  const mainMonitor = async (): Promise<Box> => {
    const outputs = listOutputs(api);
    const main = outputs.find(({ primary }) => primary) ?? outputs[0];
    if (!main) throw new NotPossible('Windows shows no desktop on this device at the moment.');
    return main;
  };
  return {
    mainMonitor,
    watchMainMonitor: (listener) => watchLayout(api, () => void mainMonitor().then(listener, () => {})),
    openPane: async (shape, draw) => openPane(api, shape, draw),
    // Windows ends the agent's process in a session when its user signs out.
    onClose: () => {},
  };
}

interface State {
  window: AgentWindow;
  buttons: readonly PaneButton[];
  onKey: ((key: PaneKey) => void) | undefined;
  onPress: (() => void) | undefined;
  paint(): void;
}

const kinds = { paint: 0x0f, keyDown: 0x100, character: 0x102, leftButtonDown: 0x201 } as const;

/** The handlers return true if Windows needs to do nothing more. */
const messageHandlers: Record<number, (state: State, message: WindowMessage) => boolean> = {
  [kinds.paint]({ paint }) {
    paint();
    return true;
  },
  [kinds.keyDown]({ onKey }, { wide }) {
    const name = names[Number(wide)];
    if (name) onKey?.({ name });
    return name !== undefined;
  },
  [kinds.character]({ onKey }, { wide }) {
    const character = String.fromCharCode(Number(wide));
    if (!/\p{Cc}/u.test(character)) onKey?.({ character });
    return true;
  },
  [kinds.leftButtonDown]({ window, onPress, buttons }, { long }) {
    // Any program can post this message, also while the person's pointer is elsewhere.
    if (!window.isUnderPointer()) return true;
    onPress?.();
    buttonAt(buttons, Number(long & 0xffffn), Number((long >> 16n) & 0xffffn))?.press();
    return true;
  },
};

const names: Record<number, 'Enter' | 'Backspace' | 'Escape'> = {
  0x08: 'Backspace',
  0x0d: 'Enter',
  0x1b: 'Escape',
};

function openPane(api: WindowsApi, shape: PaneShape, draw: (pane: Pane) => void): Pane {
  const painter = openPainter(api);
  const focusBefore = api.GetForegroundWindow();
  const window = showAgentWindow(
    api,
    shape,
    (message) => messageHandlers[message.kind]?.(state, message) ?? false,
  );
  const paint = (): void =>
    painter.paint(window.handle, () => {
      draw(pane);
      for (const button of state.buttons) drawButton(painter, button);
    });
  const state: State = { window, buttons: [], onKey: undefined, onPress: undefined, paint };
  const pane: Pane = {
    ...painter,
    place: window.place,
    visibleMs: window.visibleMs,
    setButtons: (buttons) => void (state.buttons = buttons),
    redraw: () => void api.InvalidateRect(window.handle, null, 0),
    onKey: (listener) => void (state.onKey = listener),
    onPress: (listener) => void (state.onPress = listener),
    focus() {
      api.SetForegroundWindow(window.handle);
      api.SetFocus(window.handle);
    },
    // A click takes it away.
    blur: () => {},
    close() {
      window.close();
      painter.close();
      if (shape.hasInput) api.SetForegroundWindow(focusBefore);
    },
  };
  return pane;
}
