/** One terminal: what is typed goes to a shell on the device, and what the shell says is shown. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import type { RemoteSession } from '../../../session/session.ts';
import { element } from '../../../ui/element.ts';
import { consolePanelTexts } from '../texts.ts';
import { withAdoptedStyles } from './adopted-styles.ts';

const { terminal: texts } = consolePanelTexts;
const scrollback = 5_000;
const encoder = new TextEncoder();

export interface OpenTerminal {
  id: number;
  element: HTMLElement;
  /** Takes the size of its place. */
  fit(): void;
  close(): void;
}

export function openTerminal(session: RemoteSession, id: number): OpenTerminal {
  const container = element('div', { class: 'terminal', 'aria-label': texts.screen });
  const xterm = new Terminal({
    fontFamily: 'ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace',
    fontSize: 13,
    scrollback,
    theme: { background: '#10151c', foreground: '#dfe5ec', cursor: '#7fb4ff' },
  });
  const fitAddon = new FitAddon();
  xterm.loadAddon(fitAddon);
  let state: 'new' | 'running' | 'ended' = 'new';

  const begin = (): void => {
    const isSent = session.send('terminal', { do: 'open', id, columns: xterm.cols, rows: xterm.rows });
    state = isSent ? 'running' : 'ended';
  };
  const ended = (why: string): void => {
    state = 'ended';
    xterm.write(`\r\n\x1b[2m${texts.ended(why)}\x1b[0m\r\n`);
  };
  const unsubscribes = [
    session.on('terminal_bytes', (piece) => {
      if (piece.id !== id) return;
      const bytes = piece.at + piece.data.length;
      // Said when it is on the screen: a shell that prints without end waits for whoever reads it.
      xterm.write(Uint8Array.from(piece.data), () => session.send('terminal', { do: 'read', id, bytes }));
    }),
    session.on('terminal', (word) => {
      if (word.do === 'closed' && word.id === id && state === 'running') ended(word.message);
    }),
    session.onChange(() => {
      if (session.state.phase !== 'live' && state === 'running') ended(texts.lost);
    }),
  ];
  xterm.onData((text) => type(encoder.encode(text)));
  xterm.onBinary((text) => type(Uint8Array.from(text, (character) => character.charCodeAt(0))));
  xterm.onResize(({ cols, rows }) => {
    if (state === 'running') session.send('terminal', { do: 'resize', id, columns: cols, rows });
  });

  function type(data: Uint8Array): void {
    if (state === 'running') session.send('terminal_bytes', { id, at: 0, data });
    else if (data.includes(13)) begin();
  }

  return {
    id,
    element: container,
    fit() {
      if (state === 'new') withAdoptedStyles(() => xterm.open(container));
      fitAddon.fit();
      xterm.focus();
      if (state === 'new') begin();
    },
    close() {
      unsubscribes.forEach((each) => each());
      if (state === 'running') session.send('terminal', { do: 'close', id });
      xterm.dispose();
    },
  };
}
