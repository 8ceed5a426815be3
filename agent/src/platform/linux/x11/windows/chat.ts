/** The chat window on the device: shows the messages and a field to answer in. */
import type x11 from 'x11';
import type { Box } from '@drawbridge/contract/session/screen-frames';
import type { X11Connection } from '../connection.ts';
import { readKeyMap, symbolOf } from '../keyboard/key-map.ts';
import { characterOf } from '../../keysyms.ts';
import { boxInCorner } from './window-boxes.ts';
import { paneColours, mainMonitor, openPane, watchMainMonitor, type Pane } from './pane.ts';

export interface ChatLine {
  name: string;
  text: string;
  onReply(text: string): void;
  /** The display is Xwayland. */
  isUnderWayland?: boolean;
}

const [margin, maxLines, maxReplyLength] = [10, 100, 2_000];
const fullSize = { width: 360, height: 300 };
const symbols = { backspace: 0xff08, enter: 0xff0d, keypadEnter: 0xff8d, escape: 0xff1b };

interface ChatWindow {
  say(line: ChatLine): void;
}

/** One window for each display, open until the person closes it. */
const chatWindows = new WeakMap<X11Connection, Promise<ChatWindow>>();

export async function showChatLine(connection: X11Connection, line: ChatLine): Promise<void> {
  const known =
    chatWindows.get(connection) ??
    openChatWindow(connection, line.isUnderWayland, () => chatWindows.delete(connection));
  chatWindows.set(connection, known);
  known.catch(() => chatWindows.delete(connection));
  (await known).say(line);
}

interface State {
  client: x11.Client;
  pane: Pane;
  content: ChatContent;
  /** The window that had the keyboard focus before. */
  focusBefore: number;
  onClose(): void;
}

interface ChatContent {
  /** Where the window is; smaller than usual on a small monitor. */
  box: Box;
  messages: string[];
  /** The messages, wrapped for the width of the window. */
  lines: string[];
  draft: string;
  /** Sends the answer to the operator of the last message. */
  reply?: (text: string) => void;
}

async function openChatWindow(
  connection: X11Connection,
  isManaged: boolean | undefined,
  onClose: () => void,
): Promise<ChatWindow> {
  const { client, call } = connection;
  const keyMap = await readKeyMap(connection);
  const monitor = await mainMonitor(connection);
  const content: ChatContent = { box: boxOn(monitor), messages: [], lines: [], draft: '' };
  const shape = { ...content.box, title: 'Drawbridge chat', isManaged };
  const pane = await openPane(connection, shape, (own) => draw(own, content));
  const { focus: focusBefore } = await call<{ focus: number }>((done) => client.GetInputFocus(done));
  const state: State = { client, pane, content, focusBefore, onClose: () => (stopWatching(), onClose()) };
  // The screen may become smaller while the window is open.
  const stopWatching = watchMainMonitor(connection, (changed) => fit(state, changed));
  pane.onPress(() => client.SetInputFocus(pane.window, 1));
  pane.onKey((keycode, modifiers) => handleKey(state, symbolOf(keyMap, keycode, modifiers)));
  addButtons(state);
  return {
    say({ name, text, onReply }) {
      content.reply = onReply;
      addText(state, `${name}: ${text}`);
    },
  };
}

const boxOn = (monitor: Box): Box => boxInCorner(monitor, fullSize, margin);

function fit(state: State, monitor: Box): void {
  const { pane, content } = state;
  content.box = boxOn(monitor);
  pane.place(content.box);
  content.lines = [];
  for (const text of content.messages) addLines(state, text);
  addButtons(state);
  pane.redraw();
}

function addButtons(state: State): void {
  const { pane, content } = state;
  const { width, height } = content.box;
  const side = pane.painter.lineHeight;
  const closeBox = { x: width - side - 4, y: 4, width: side, height: side };
  const sendBox = { x: width - 64, y: height - side - margin, width: 54, height: side };
  pane.setButtons([
    { ...closeBox, label: 'x', colour: paneColours.line, press: () => close(state) },
    { ...sendBox, label: 'Send', colour: paneColours.green, press: () => send(state) },
  ]);
}

function addText(state: State, text: string): void {
  const { pane, content } = state;
  content.messages = [...content.messages, text].slice(-maxLines);
  addLines(state, text);
  pane.redraw();
}

function addLines({ pane, content: { lines, box } }: State, text: string): void {
  lines.push(...pane.painter.wrap(text, box.width - 2 * margin));
  lines.splice(0, lines.length - maxLines);
}

function send(state: State): void {
  const { content, pane } = state;
  const text = content.draft.trim();
  content.draft = '';
  if (text !== '') {
    content.reply?.(text);
    addText(state, `You: ${text}`);
  } else pane.redraw();
}

function close({ client, pane, focusBefore, onClose }: State): void {
  client.SetInputFocus(focusBefore, 1);
  pane.close();
  onClose();
}

const keyHandlers: Record<number, (state: State) => void> = {
  [symbols.backspace]: ({ content }) => void (content.draft = [...content.draft].slice(0, -1).join('')),
  [symbols.enter]: send,
  [symbols.keypadEnter]: send,
  [symbols.escape]: close,
};

function handleKey(state: State, symbol: number): void {
  const { content, pane } = state;
  const handler = keyHandlers[symbol];
  const character = characterOf(symbol);
  if (handler) handler(state);
  else if (character !== undefined && content.draft.length < maxReplyLength) content.draft += character;
  if (symbol !== symbols.escape) pane.redraw();
}

function draw({ painter, window }: Pane, { lines, draft, box: { width, height } }: ChatContent): void {
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
