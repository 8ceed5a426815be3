/** The dock at the right, which shows one panel at a time, and the buttons that open the panels. */
import type { RemoteSession } from '@drawbridge/session/operator/session';
import { iconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import { isOffered, whyUnable } from './offers.ts';
import type { ConsolePanel } from './panels/console-panel.ts';
import { consoleTexts } from './texts.ts';

export interface PanelDock {
  dock: HTMLElement;
  buttons: HTMLElement;
  /** Redraws the buttons, because permissions may have changed. */
  refresh(): void;
}

interface DockState {
  session: RemoteSession;
  panels: readonly ConsolePanel[];
  dock: HTMLElement;
  buttons: HTMLElement;
  /** The ids of panels with something new. */
  unread: Set<string>;
  opened: { panel: ConsolePanel; close(): void } | undefined;
  onClosed(): void;
}

export function createPanelDock(
  session: RemoteSession,
  panels: readonly ConsolePanel[],
  onClosed: () => void,
): PanelDock {
  const dock = element('aside', { class: 'side', hidden: true });
  const buttons = element('div', { class: 'tools', role: 'group' });
  const state: DockState = {
    session,
    panels,
    dock,
    buttons,
    unread: new Set(),
    opened: undefined,
    onClosed,
  };
  for (const panel of panels) panel.subscribe?.(session, () => markUnread(state, panel));
  return { dock, buttons, refresh: () => refresh(state) };
}

function markUnread(state: DockState, panel: ConsolePanel): void {
  if (state.opened?.panel === panel) return;
  state.unread.add(panel.id);
  refresh(state);
}

function closePanel(state: DockState): void {
  state.opened?.close();
  state.opened = undefined;
  state.dock.hidden = true;
  fill(state.dock);
  refresh(state);
  state.onClosed();
}

function openPanel(state: DockState, panel: ConsolePanel): void {
  const { dock, session } = state;
  state.opened?.close();
  state.unread.delete(panel.id);
  const body = element('div', { class: `side-body panel-${panel.id}` });
  fill(
    dock,
    headerOf(panel, () => closePanel(state)),
    body,
  );
  dock.setAttribute('aria-label', panel.title);
  dock.hidden = false;
  state.opened = { panel, close: panel.open(body, session) };
  refresh(state);
}

function buttonOf(state: DockState, panel: ConsolePanel): HTMLElement {
  const isOpen = state.opened?.panel === panel;
  const isUnread = state.unread.has(panel.id);
  const made = iconButton({
    icon: panel.icon,
    title: isUnread ? `${panel.title} (${consoleTexts.panels.unread})` : panel.title,
    press: () => (isOpen ? closePanel(state) : openPanel(state, panel)),
    unable: whyUnable(state.session, panel.kind),
    pressed: isOpen,
  });
  made.classList.toggle('news', isUnread);
  made.dataset['panel'] = panel.id;
  return made;
}

function refresh(state: DockState): void {
  const { session, panels, buttons } = state;
  if (session.state.phase !== 'live') return;
  const offered = panels.filter(({ kind }) => isOffered(session, kind));
  fill(buttons, ...offered.map((panel) => buttonOf(state, panel)));
}

const headerOf = ({ title }: ConsolePanel, close: () => void): HTMLElement =>
  element(
    'header',
    { class: 'side-head' },
    element('h2', {}, title),
    iconButton({ icon: 'end', title: consoleTexts.panels.close, press: close }),
  );
