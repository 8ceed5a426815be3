/** A window of the agent with buttons, which works without a window manager and redraws itself when needed. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { X11Connection } from '../connection.ts';
import { layoutOf } from '../layout.ts';
import { watchLayout } from '../layout-watch.ts';
import { showAgentWindow, type AgentWindow, type WindowShape } from './agent-window.ts';
import { openPainter, type Painter } from './painter.ts';

interface PaneButton extends Box {
  label: string;
  colour: number;
  press(): void;
}

export interface Pane extends Pick<AgentWindow, 'place' | 'visibleMs' | 'close'> {
  painter: Painter;
  readonly window: number;
  /** Replaces the buttons. */
  setButtons(buttons: readonly PaneButton[]): void;
  redraw(): void;
  onKey(listener: (keycode: number, state: number) => void): void;
  onPress(listener: () => void): void;
}

export const paneColours = {
  background: 0x1f2937,
  field: 0x374151,
  line: 0x4b5563,
  foreground: 0xf9fafb,
  faint: 0x9ca3af,
  red: 0xdc2626,
  green: 0x15803d,
} as const;

const leftButton = 1;

/** The monitor on which the agent shows its windows. */
export async function mainMonitor(connection: X11Connection): Promise<Box> {
  const { monitors } = await layoutOf(connection);
  return monitors.find(({ primary }) => primary) ?? monitors[0]!;
}

/** Calls the listener with the main monitor whenever it may have changed; the returned function unsubscribes. */
export const watchMainMonitor = (connection: X11Connection, listener: (monitor: Box) => void): (() => void) =>
  watchLayout(connection, () => void mainMonitor(connection).then(listener, () => {}));

interface State {
  buttons: readonly PaneButton[];
  onKey: ((keycode: number, state: number) => void) | undefined;
  onPress: (() => void) | undefined;
  redraw(): void;
}

const eventHandlers: Record<string, (state: State, event: Record<string, number>) => void> = {
  Expose: ({ redraw }, { count }) => void (count === 0 && redraw()),
  KeyPress: ({ onKey }, { keycode, buttons }) => onKey?.(keycode!, buttons!),
  ButtonPress({ onPress, buttons }, event) {
    if (event['keycode'] !== leftButton) return;
    onPress?.();
    buttons.find((button) => isIn(button, event['x']!, event['y']!))?.press();
  },
};

export async function openPane(
  connection: X11Connection,
  shape: Omit<WindowShape, 'background' | 'border'>,
  draw: (pane: Pane) => void,
): Promise<Pane> {
  const painter = await openPainter(connection);
  const redraw = (): void => {
    draw(pane);
    for (const button of state.buttons) drawButton(painter, own.id, button);
  };
  const state: State = { buttons: [], onKey: undefined, onPress: undefined, redraw };
  const own = await showAgentWindow(
    connection,
    { ...shape, background: paneColours.background, border: paneColours.line },
    (event: x11.Event) => eventHandlers[event.name]?.(state, event as unknown as Record<string, number>),
  );
  const pane: Pane = {
    painter,
    get window() {
      return own.id;
    },
    place: own.place,
    visibleMs: own.visibleMs,
    setButtons: (buttons) => void (state.buttons = buttons),
    redraw,
    onKey: (listener) => void (state.onKey = listener),
    onPress: (listener) => void (state.onPress = listener),
    close() {
      own.close();
      painter.close();
    },
  };
  return pane;
}

const isIn = (box: Box, x: number, y: number): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

function drawButton(painter: Painter, window: number, { label, colour, ...box }: PaneButton): void {
  painter.fill(window, colour, box);
  const x = box.x + Math.floor((box.width - painter.widthOf(label)) / 2);
  const y = box.y + Math.floor((box.height - painter.lineHeight) / 2);
  painter.write(window, { foreground: paneColours.foreground, background: colour }, { x, y }, label);
}
