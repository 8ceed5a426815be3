/** The agent's windows on an X11 display, which work without a window manager. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import {
  buttonAt,
  drawButton,
  paneColours,
  type Pane,
  type PaneButton,
  type PaneKey,
  type PaneScreen,
  type PaneShape,
} from '../../../panes/pane.ts';
import { characterOf } from '../../keysyms.ts';
import type { X11Connection } from '../connection.ts';
import { readKeyMap, symbolOf } from '../keyboard/key-map.ts';
import { layoutOf } from '../layout.ts';
import { watchLayout } from '../layout-watch.ts';
import { showAgentWindow, type AgentWindow } from './agent-window.ts';
import { openPainter, type Painter } from './painter.ts';

const leftButton = 1;

const screens = new WeakMap<X11Connection, PaneScreen>();

/** The same for each call. `isUnderWayland`: the display is Xwayland. */
export function paneScreenOf(connection: X11Connection, isUnderWayland = false): PaneScreen {
  const screen = screens.get(connection) ?? createScreen(connection, isUnderWayland);
  screens.set(connection, screen);
  return screen;
}

function createScreen(connection: X11Connection, isUnderWayland: boolean): PaneScreen {
  const mainMonitor = async (): Promise<Box> => {
    const { monitors } = await layoutOf(connection);
    return monitors.find(({ primary }) => primary) ?? monitors[0]!;
  };
  return {
    mainMonitor,
    watchMainMonitor: (listener) =>
      watchLayout(connection, () => void mainMonitor().then(listener, () => {})),
    openPane: (shape, draw) => openPane(connection, { ...shape, isUnderWayland }, draw),
    onClose: (listener) => connection.onClose(listener),
  };
}

interface State {
  buttons: readonly PaneButton[];
  /** The buttons of windows that were replaced, because the person may have pressed one of them. */
  formerButtons: Map<number, readonly PaneButton[]>;
  toKey(keycode: number, modifiers: number): PaneKey | undefined;
  onKey?: (key: PaneKey) => void;
  onPress?: () => void;
  redraw(): void;
}

const eventHandlers: Record<string, (state: State, event: Record<string, number>) => void> = {
  Expose: ({ redraw }, { count }) => void (count === 0 && redraw()),
  KeyPress({ toKey, onKey }, { keycode, buttons }) {
    const key = toKey(keycode!, buttons!);
    if (key) onKey?.(key);
  },
  ButtonPress({ onPress, buttons, formerButtons }, event) {
    if (event['keycode'] !== leftButton) return;
    onPress?.();
    buttonAt(formerButtons.get(event['wid']!) ?? buttons, event['x']!, event['y']!)?.press();
  },
  DestroyNotify: ({ formerButtons }, { wid }) => void formerButtons.delete(wid!),
};

async function openPane(
  connection: X11Connection,
  { hasInput = false, isUnderWayland, ...shape }: PaneShape & { isUnderWayland: boolean },
  draw: (pane: Pane) => void,
): Promise<Pane> {
  const { client } = connection;
  const { background, line: border } = paneColours;
  const painter = await openPainter(connection);
  const [toKey, focusBefore] = hasInput ? await readKeyboard(connection) : [() => undefined, undefined];
  const redraw = (): void => {
    draw(pane);
    for (const button of state.buttons) drawButton(pane, button);
  };
  const state: State = { buttons: [], formerButtons: new Map(), toKey, redraw };
  const own = await showAgentWindow(
    connection,
    { ...shape, isManaged: hasInput && isUnderWayland, isUnderWayland, background, border },
    (event: x11.Event) => eventHandlers[event.name]?.(state, event as unknown as Record<string, number>),
  );
  const pane: Pane = {
    ...painterOf(painter, own),
    place: (box) => place(state, own, box),
    visibleMs: own.visibleMs,
    setButtons: (buttons) => void (state.buttons = buttons),
    redraw,
    onKey: (listener) => void (state.onKey = listener),
    onPress: (listener) => void (state.onPress = listener),
    focus: () => client.SetInputFocus(own.id, 1),
    // A click takes it away.
    blur: () => {},
    close() {
      if (focusBefore !== undefined) client.SetInputFocus(focusBefore, 1);
      own.close();
      painter.close();
    },
  };
  return pane;
}

function place({ formerButtons, buttons }: State, own: AgentWindow, box: Box): void {
  const { id } = own;
  own.place(box);
  if (own.id !== id) formerButtons.set(id, buttons);
}

/** Draws in the window, also after it was replaced. */
const painterOf = (
  painter: Painter,
  own: AgentWindow,
): Pick<Pane, 'lineHeight' | 'widthOf' | 'wrap' | 'fill' | 'write'> => ({
  lineHeight: painter.lineHeight,
  widthOf: painter.widthOf,
  wrap: painter.wrap,
  fill: (colour, box) => painter.fill(own.id, colour, box),
  write: (colours, at, text) => painter.write(own.id, colours, at, text),
});

const names: Record<number, 'Enter' | 'Backspace' | 'Escape'> = {
  0xff08: 'Backspace',
  0xff0d: 'Enter',
  0xff8d: 'Enter',
  0xff1b: 'Escape',
};

/** How keys are read, and the window that has the keyboard focus now. */
async function readKeyboard(connection: X11Connection): Promise<[State['toKey'], number]> {
  const { client, call } = connection;
  const keyMap = await readKeyMap(connection);
  const { focus } = await call<{ focus: number }>((done) => client.GetInputFocus(done));
  const toKey: State['toKey'] = (keycode, modifiers) => {
    const symbol = symbolOf(keyMap, keycode, modifiers);
    const [name, character] = [names[symbol], characterOf(symbol)];
    if (name) return { name };
    return character === undefined ? undefined : { character };
  };
  return [toKey, focus];
}
