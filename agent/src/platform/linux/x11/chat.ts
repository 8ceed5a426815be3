/** The chat on the device: a small window with what was said and a line to answer in. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { X11Connection } from './connection.ts';
import { readKeyMap, symbolOf } from './key-map.ts';
import { characterOf } from '../keysyms.ts';
import { paneColours, mainMonitor, openPane, type Pane } from './pane.ts';

export interface ChatLine {
  name: string;
  text: string;
  onReply(text: string): void;
  /** The display is a guest of Wayland. */
  isUnderWayland?: boolean;
}

const [width, height, margin, maxLines, longestReply] = [360, 300, 10, 100, 2_000];
const symbols = { backspace: 0xff08, enter: 0xff0d, keypadEnter: 0xff8d, escape: 0xff1b };

interface ChatWindow {
  say(line: ChatLine): void;
}

/** One window for each display; it is there until the person closes it. */
const chatWindows = new WeakMap<X11Connection, Promise<ChatWindow>>();

export async function showChatLine(connection: X11Connection, line: ChatLine): Promise<void> {
  const known =
    chatWindows.get(connection) ??
    openChatWindow(connection, line.isUnderWayland, () => chatWindows.delete(connection));
  chatWindows.set(connection, known);
  known.catch(() => chatWindows.delete(connection));
  (await known).say(line);
}

async function openChatWindow(
  connection: X11Connection,
  isManaged: boolean | undefined,
  onClose: () => void,
): Promise<ChatWindow> {
  const { client, call } = connection;
  const map = await readKeyMap(connection);
  const monitor = await mainMonitor(connection);
  const lines: string[] = [];
  let [draft, reply]: [string, ((text: string) => void)?] = [''];
  const pane = await openPane(
    connection,
    { ...corner(monitor), title: 'Drawbridge chat', isManaged },
    (own) => draw(own, lines, draft),
  );
  const add = (line: string): void => {
    lines.push(...pane.painter.wrap(line, width - 2 * margin));
    lines.splice(0, lines.length - maxLines);
    pane.redraw();
  };
  const before = await call<{ focus: number }>((done) => client.GetInputFocus(done));
  const close = (): void => {
    client.SetInputFocus(before.focus, 1);
    pane.close();
    onClose();
  };
  const send = (): void => {
    const said = draft.trim();
    draft = '';
    if (said !== '') {
      reply?.(said);
      add(`You: ${said}`);
    } else pane.redraw();
  };
  const typed: Record<number, () => void> = {
    [symbols.backspace]: () => void (draft = [...draft].slice(0, -1).join('')),
    [symbols.enter]: send,
    [symbols.keypadEnter]: send,
    [symbols.escape]: close,
  };
  pane.onPress(() => client.SetInputFocus(pane.window, 1));
  pane.onKey((keycode, state) => {
    const symbol = symbolOf(map, keycode, state);
    const character = characterOf(symbol);
    if (typed[symbol]) typed[symbol]();
    else if (character !== undefined && draft.length < longestReply) draft += character;
    if (symbol !== symbols.escape) pane.redraw();
  });
  const side = pane.painter.lineHeight;
  const closeAt = { x: width - side - 4, y: 4, width: side, height: side };
  const sendAt = { x: width - 64, y: height - side - margin, width: 54, height: side };
  pane.setButtons([
    { ...closeAt, label: 'x', colour: paneColours.line, press: close },
    { ...sendAt, label: 'Send', colour: paneColours.green, press: send },
  ]);
  return {
    say({ name, text, onReply }) {
      reply = onReply;
      add(`${name}: ${text}`);
    },
  };
}

const corner = ({ x, y, width: wide, height: high }: Box): Box => ({
  x: x + wide - width - margin,
  y: y + high - height - margin,
  width,
  height,
});

function draw({ painter, window }: Pane, lines: readonly string[], draft: string): void {
  painter.fill(window, paneColours.background, { x: 0, y: 0, width, height });
  painter.write(
    window,
    { foreground: paneColours.faint, background: paneColours.background },
    { x: margin, y: 4 },
    'Chat',
  );
  const top = painter.lineHeight + margin;
  const fieldTop = height - painter.lineHeight - margin;
  const fits = Math.max(1, Math.floor((fieldTop - top) / painter.lineHeight));
  lines
    .slice(-fits)
    .forEach((line, index) =>
      painter.write(
        window,
        { foreground: paneColours.foreground, background: paneColours.background },
        { x: margin, y: top + index * painter.lineHeight },
        line,
      ),
    );
  const field = { x: margin, y: fieldTop, width: width - 64 - 2 * margin, height: painter.lineHeight };
  painter.fill(window, paneColours.field, field);
  const shown = draft === '' ? 'Click here to answer' : `${painter.wrap(draft, field.width - 16).at(-1)!}|`;
  const foreground = draft === '' ? paneColours.faint : paneColours.foreground;
  painter.write(window, { foreground, background: paneColours.field }, { x: field.x + 4, y: field.y }, shown);
}
