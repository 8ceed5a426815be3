/** The chat window on the device: shows the messages and a field to answer in. */
import type { Box } from '@drawbridge/contract/session/screen-frames';
import { boxInCorner } from './window-boxes.ts';
import { paneColours, type Pane, type PaneKey, type PaneScreen } from './pane.ts';

export interface ChatLine {
  name: string;
  text: string;
  onReply(text: string): void;
}

const [margin, maxLines, maxReplyLength] = [10, 100, 2_000];
const fullSize = { width: 360, height: 300 };

interface ChatWindow {
  say(line: ChatLine): void;
}

/** One window for each screen, open until the person closes it. */
const chatWindows = new WeakMap<PaneScreen, Promise<ChatWindow>>();

export async function showChatLine(screen: PaneScreen, line: ChatLine): Promise<void> {
  const known = chatWindows.get(screen) ?? openChatWindow(screen, () => chatWindows.delete(screen));
  chatWindows.set(screen, known);
  known.catch(() => chatWindows.delete(screen));
  (await known).say(line);
}

interface State {
  pane: Pane;
  content: ChatContent;
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

async function openChatWindow(screen: PaneScreen, onClose: () => void): Promise<ChatWindow> {
  const monitor = await screen.mainMonitor();
  const content: ChatContent = { box: boxOn(monitor), messages: [], lines: [], draft: '' };
  const shape = { ...content.box, title: 'Drawbridge chat', hasInput: true };
  const pane = await screen.openPane(shape, (own) => draw(own, content));
  const state: State = { pane, content, onClose: () => (stopWatching(), onClose()) };
  // The screen may become smaller while the window is open.
  const stopWatching = screen.watchMainMonitor((changed) => fit(state, changed));
  pane.onPress(() => pane.focus());
  pane.onKey((key) => handleKey(state, key));
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
  const side = pane.lineHeight;
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
  lines.push(...pane.wrap(text, box.width - 2 * margin));
  lines.splice(0, lines.length - maxLines);
}

function send(state: State): void {
  const { content, pane } = state;
  const text = content.draft.trim();
  content.draft = '';
  if (text !== '') {
    pane.blur();
    content.reply?.(text);
    addText(state, `You: ${text}`);
  } else pane.redraw();
}

function close({ pane, onClose }: State): void {
  pane.close();
  onClose();
}

const keyHandlers = {
  Backspace: ({ content }: State) => void (content.draft = [...content.draft].slice(0, -1).join('')),
  Enter: send,
  Escape: close,
};

function handleKey(state: State, key: PaneKey): void {
  const { content, pane } = state;
  if ('name' in key) keyHandlers[key.name](state);
  else if (content.draft.length < maxReplyLength) content.draft += key.character;
  if (!('name' in key) || key.name !== 'Escape') pane.redraw();
}

function draw(pane: Pane, { lines, draft, box: { width, height } }: ChatContent): void {
  pane.fill(paneColours.background, { x: 0, y: 0, width, height });
  pane.write(
    { foreground: paneColours.faint, background: paneColours.background },
    { x: margin, y: 4 },
    'Chat',
  );
  const top = pane.lineHeight + margin;
  const fieldTop = height - pane.lineHeight - margin;
  const fits = Math.max(1, Math.floor((fieldTop - top) / pane.lineHeight));
  lines
    .slice(-fits)
    .forEach((line, index) =>
      pane.write(
        { foreground: paneColours.foreground, background: paneColours.background },
        { x: margin, y: top + index * pane.lineHeight },
        line,
      ),
    );
  const field = { x: margin, y: fieldTop, width: width - 64 - 2 * margin, height: pane.lineHeight };
  pane.fill(paneColours.field, field);
  const shown = draft === '' ? 'Click here to answer' : `${pane.wrap(draft, field.width - 16).at(-1)!}|`;
  const foreground = draft === '' ? paneColours.faint : paneColours.foreground;
  pane.write({ foreground, background: paneColours.field }, { x: field.x + 4, y: field.y }, shown);
}
