/** A window of the agent's own: above all others, without the help of a window manager, drawn anew whenever needed. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/pictures';
import type { Connection } from './connection.ts';
import { layoutOf } from './layout.ts';
import { openPen, type Pen } from './pen.ts';

export interface Button extends Box {
  label: string;
  colour: number;
  press(): void;
}

export interface Pane {
  pen: Pen;
  window: number;
  place(box: Box): void;
  /** The buttons, from left to right or as they lie; they replace those before. */
  setButtons(buttons: readonly Button[]): void;
  redraw(): void;
  onKey(listener: (keycode: number, state: number) => void): void;
  onPress(listener: () => void): void;
  close(): void;
}

export const colours = {
  paper: 0x1f2937,
  field: 0x374151,
  line: 0x4b5563,
  ink: 0xf9fafb,
  faint: 0x9ca3af,
  red: 0xdc2626,
  green: 0x15803d,
} as const;

const events = { keyPress: 1, buttonPress: 4, visibility: 0x1_0000, exposure: 0x8000 } as const;
const allEvents = events.keyPress | events.buttonPress | events.visibility | events.exposure;
/** Two programs that both want to be on top must not keep the display busy. */
const raiseEveryMs = 500;
const leftButton = 1;

/** The monitor to show things on. */
export async function mainMonitor(connection: Connection): Promise<Box> {
  const { monitors } = await layoutOf(connection);
  return monitors.find(({ primary }) => primary) ?? monitors[0]!;
}

export interface PaneShape extends Box {
  /** What programs that list windows call it. */
  title: string;
  /** Somebody types into it, and a compositor of Wayland gives the keyboard to none but its own windows. */
  isManaged?: boolean | undefined;
}

export async function openPane(
  connection: Connection,
  { title, isManaged = false, ...box }: PaneShape,
  draw: (pane: Pane) => void,
): Promise<Pane> {
  const { client, root } = connection;
  const pen = await openPen(connection);
  const atoms = await typeAtoms(connection, isManaged);
  const window = client.AllocID();
  const { x, y, width, height } = box;
  client.CreateWindow(window, root, x, y, width, height, 1, 0, 0, 0, {
    backgroundPixel: colours.paper,
    borderPixel: colours.line,
    overrideRedirect: !isManaged,
    eventMask: allEvents,
  });
  let buttons: readonly Button[] = [];
  let [onKey, onPress]: [((keycode: number, state: number) => void)?, (() => void)?] = [];
  let raising: NodeJS.Timeout | undefined;
  const raiseSoon = (): void => {
    raising ??= setTimeout(() => {
      raising = undefined;
      client.RaiseWindow(window);
    }, raiseEveryMs);
  };
  const redraw = (): void => {
    draw(pane);
    for (const button of buttons) drawButton(pen, window, button);
  };
  const hear: Record<string, (event: Record<string, number>) => void> = {
    Expose: ({ count }) => void (count === 0 && redraw()),
    VisibilityNotify: ({ state }) => void (state !== 0 && raiseSoon()),
    KeyPress: ({ keycode, buttons: state }) => onKey?.(keycode!, state!),
    ButtonPress(event) {
      if (event['keycode'] !== leftButton) return;
      onPress?.();
      buttons.find((button) => isIn(button, event['x']!, event['y']!))?.press();
    },
  };
  const stopListening = connection.onEvent((event: x11.Event) => {
    if (event.wid === window) hear[event.name]?.(event as unknown as Record<string, number>);
  });
  const pane: Pane = {
    pen,
    window,
    place: (to) => client.MoveResizeWindow(window, to.x, to.y, to.width, to.height),
    setButtons: (given) => void (buttons = given),
    redraw,
    onKey: (listener) => void (onKey = listener),
    onPress: (listener) => void (onPress = listener),
    close() {
      stopListening();
      clearTimeout(raising);
      client.DestroyWindow(window);
      pen.close();
    },
  };
  client.ChangeProperty(0, window, client.atoms['WM_NAME']!, client.atoms['STRING']!, 8, Buffer.from(title));
  client.ChangeProperty(0, window, atoms.kind, atoms.atom, 32, numberBytes(atoms.own));
  client.MapWindow(window);
  client.RaiseWindow(window);
  return pane;
}

/** Without a word about what it is, some compositors give the keyboard to a window that only says something. */
async function typeAtoms(
  { client, call }: Connection,
  isManaged: boolean,
): Promise<{ atom: number; kind: number; own: number }> {
  const named = (name: string): Promise<number> =>
    call((done) => client.InternAtom(false, `_NET_WM_WINDOW_TYPE${name}`, done));
  const [kind, own] = await Promise.all([named(''), named(isManaged ? '_DIALOG' : '_NOTIFICATION')]);
  return { atom: client.atoms['ATOM']!, kind, own };
}

const numberBytes = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

const isIn = (box: Box, x: number, y: number): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

function drawButton(pen: Pen, window: number, { label, colour, ...box }: Button): void {
  pen.fill(window, colour, box);
  const x = box.x + Math.floor((box.width - pen.widthOf(label)) / 2);
  const y = box.y + Math.floor((box.height - pen.lineHeight) / 2);
  pen.write(window, { ink: colours.ink, paper: colour }, { x, y }, label);
}
