/** The open terminals, each with a tab. They keep running while the panel is closed. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { iconButton } from '../../../ui/button.ts';
import { element, fill } from '../../../ui/element.ts';
import { consolePanelTexts } from '../texts.ts';
import { openTerminal, type OpenTerminal } from './open-terminal.ts';

const { terminal: texts } = consolePanelTexts;
const maxTerminals = 8;

export interface Terminals {
  show(container: HTMLElement): void;
  /** The container is in another window now. */
  moved(): void;
  hide(): void;
}

interface TerminalsState {
  session: RemoteSession;
  open: OpenTerminal[];
  lastId: number;
  current: OpenTerminal | undefined;
  tabs: HTMLElement;
  body: HTMLElement;
  keys: HTMLElement;
  resizeObserver: ResizeObserver | undefined;
}

export function createTerminals(session: RemoteSession): Terminals {
  const tabs = element('div', { class: 'terminal-tabs', role: 'tablist' });
  const body = element('div', { class: 'terminal-place' });
  const keys = element('div');
  const state: TerminalsState = {
    session,
    open: [],
    lastId: 0,
    current: undefined,
    tabs,
    body,
    keys,
    resizeObserver: undefined,
  };
  return {
    show(container) {
      fill(container, tabs, body, keys);
      observeSize(state);
      if (state.current) choose(state, state.current);
      else add(state);
    },
    moved() {
      observeSize(state);
      if (state.current) choose(state, state.current);
    },
    hide: () => state.resizeObserver?.disconnect(),
  };
}

/** With the observer of its own window, because a window in the background reports no sizes. */
function observeSize(state: TerminalsState): void {
  const { body } = state;
  const { ResizeObserver: Observer } = body.ownerDocument.defaultView!;
  state.resizeObserver?.disconnect();
  state.resizeObserver = new Observer(() => state.current?.fit());
  state.resizeObserver.observe(body);
}

function choose(state: TerminalsState, terminal: OpenTerminal): void {
  state.current = terminal;
  fill(state.body, terminal.element);
  fill(state.keys, terminal.keys);
  terminal.fit();
  terminal.focus();
  drawTabs(state);
}

function add(state: TerminalsState): void {
  const terminal = openTerminal(state.session, (state.lastId += 1));
  state.open.push(terminal);
  choose(state, terminal);
}

/** Closing the last terminal opens a new one. */
function close(state: TerminalsState, terminal: OpenTerminal): void {
  const { open } = state;
  terminal.close();
  open.splice(open.indexOf(terminal), 1);
  if (state.current !== terminal) return drawTabs(state);
  state.current = undefined;
  const next = open.at(-1);
  if (next) choose(state, next);
  else add(state);
}

function tab(state: TerminalsState, terminal: OpenTerminal): HTMLElement {
  const isCurrent = terminal === state.current;
  const press = (): void => choose(state, terminal);
  return element(
    'span',
    { class: isCurrent ? 'terminal-tab current' : 'terminal-tab' },
    element(
      'button',
      { type: 'button', role: 'tab', 'aria-selected': String(isCurrent), onclick: press },
      texts.tab(terminal.id),
    ),
    iconButton({ icon: 'end', title: texts.close, press: () => close(state, terminal) }),
  );
}

function drawTabs(state: TerminalsState): void {
  const { open, tabs } = state;
  const addButton =
    open.length < maxTerminals && iconButton({ icon: 'add', title: texts.add, press: () => add(state) });
  fill(tabs, ...open.map((terminal) => tab(state, terminal)), addButton);
}
