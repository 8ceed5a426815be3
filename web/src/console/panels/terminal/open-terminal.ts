/** One terminal: sends what is typed to a shell on the device and shows the shell's output. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { element } from '../../../ui/element.ts';
import { consolePanelTexts } from '../texts.ts';
import { withAdoptedStyles, type AdoptedStyles } from './adopted-styles.ts';
import { terminalFont } from './font.ts';
import { createTerminalKeys, type TerminalKeys } from './terminal-keys.ts';

const { terminal: texts } = consolePanelTexts;
const scrollback = 5_000;
const enterByte = 13;
const encoder = new TextEncoder();

export interface OpenTerminal {
  id: number;
  element: HTMLElement;
  /** The keys for phones. */
  keys: HTMLElement;
  /** Adapts to the size and the window of its container; the first call starts the shell. */
  fit(): void;
  focus(): void;
  close(): void;
}

interface TerminalState {
  session: RemoteSession;
  id: number;
  container: HTMLElement;
  xterm: Terminal;
  fitAddon: FitAddon;
  keys: TerminalKeys;
  shell: 'new' | 'running' | 'ended';
  /** Where the terminal is drawn; undefined before the first time. */
  shownIn: { document: Document; styles: AdoptedStyles } | undefined;
}

export function openTerminal(session: RemoteSession, id: number): OpenTerminal {
  const container = element('div', { class: 'terminal', 'aria-label': texts.screen });
  const xterm = new Terminal({
    fontFamily: terminalFont.family,
    fontSize: terminalFont.size,
    scrollback,
    theme: { background: '#10151c', foreground: '#dfe5ec', cursor: '#7fb4ff' },
  });
  const fitAddon = new FitAddon();
  xterm.loadAddon(fitAddon);
  const keys = createTerminalKeys({
    type: (text) => xterm.input(text),
    hasApplicationArrows: () => xterm.modes.applicationCursorKeysMode,
  });
  const state: TerminalState = {
    session,
    id,
    container,
    xterm,
    fitAddon,
    keys,
    shell: 'new',
    shownIn: undefined,
  };
  const unsubscribe = listenToDevice(state);
  listenToTyping(state);
  return {
    id,
    element: container,
    keys: keys.element,
    fit: () => fit(state),
    focus: () => xterm.focus(),
    close() {
      unsubscribe();
      close(state);
    },
  };
}

/** Returns a function that unsubscribes. */
function listenToDevice(state: TerminalState): () => void {
  const { session, id, xterm } = state;
  const unsubscribes = [
    session.on('terminal_bytes', (chunk) => {
      if (chunk.id !== id) return;
      const bytes = chunk.at + chunk.data.length;
      // Acknowledged when it is on the screen: this is the back-pressure on a shell that prints without end.
      xterm.write(Uint8Array.from(chunk.data), () => session.send('terminal', { do: 'read', id, bytes }));
    }),
    session.on('terminal', (message) => {
      if (message.do === 'closed' && message.id === id && state.shell === 'running')
        showEnd(state, message.message);
    }),
    session.onChange(() => {
      if (session.state.phase !== 'live' && state.shell === 'running') showEnd(state, texts.lost);
    }),
  ];
  return () => unsubscribes.forEach((each) => each());
}

function listenToTyping(state: TerminalState): void {
  const { session, id, xterm, keys } = state;
  xterm.onData((text) => type(state, encoder.encode(keys.apply(text))));
  xterm.onBinary((text) =>
    type(
      state,
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    ),
  );
  xterm.onResize(({ cols, rows }) => {
    if (state.shell === 'running') session.send('terminal', { do: 'resize', id, columns: cols, rows });
  });
}

/** After the shell has ended, Enter starts a new one. */
function type(state: TerminalState, data: Uint8Array): void {
  const { session, id } = state;
  if (state.shell === 'running') session.send('terminal_bytes', { id, at: 0, data });
  else if (data.includes(enterByte)) startShell(state);
}

function startShell(state: TerminalState): void {
  const { session, id, xterm } = state;
  const isSent = session.send('terminal', { do: 'open', id, columns: xterm.cols, rows: xterm.rows });
  state.shell = isSent ? 'running' : 'ended';
}

function showEnd(state: TerminalState, reason: string): void {
  state.shell = 'ended';
  state.xterm.write(`\r\n\x1b[2m${texts.ended(reason)}\x1b[0m\r\n`);
}

function fit(state: TerminalState): void {
  show(state);
  state.fitAddon.fit();
  if (state.shell === 'new') startShell(state);
}

/** Opens the terminal in its container, or again after the container has moved to another window. */
function show(state: TerminalState): void {
  const { container, xterm, shownIn } = state;
  const { ownerDocument } = container;
  if (shownIn?.document === ownerDocument) return;
  let styles = shownIn?.styles;
  if (styles) {
    styles.moveTo(ownerDocument);
    xterm.open(container);
  } else styles = withAdoptedStyles(() => xterm.open(container));
  state.shownIn = { document: ownerDocument, styles };
}

function close({ session, id, xterm, shell }: TerminalState): void {
  if (shell === 'running') session.send('terminal', { do: 'close', id });
  xterm.dispose();
}
