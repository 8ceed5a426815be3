/** The dock at the right: one panel at a time, and the buttons that open them. */
import type { RemoteSession } from '../session/session.ts';
import { iconButton } from '../ui/button.ts';
import { element, fill } from '../ui/element.ts';
import type { ConsolePanel } from './panels/console-panel.ts';
import { consoleTexts } from './texts.ts';

export interface PanelDock {
  dock: HTMLElement;
  buttons: HTMLElement;
  /** Anew, as permissions may have changed. */
  refresh(): void;
}

export function createPanelDock(
  session: RemoteSession,
  panels: readonly ConsolePanel[],
  closed: () => void,
): PanelDock {
  const dock = element('aside', { class: 'side', hidden: true });
  const buttons = element('div', { class: 'tools', role: 'group' });
  const unread = new Set<string>();
  let opened: { panel: ConsolePanel; close(): void } | undefined;

  const close = (): void => {
    opened?.close();
    opened = undefined;
    dock.hidden = true;
    fill(dock);
    refresh();
    closed();
  };
  const open = (panel: ConsolePanel): void => {
    opened?.close();
    unread.delete(panel.id);
    const body = element('div', { class: `side-body panel-${panel.id}` });
    fill(dock, headerOf(panel, close), body);
    dock.setAttribute('aria-label', panel.title);
    dock.hidden = false;
    opened = { panel, close: panel.open(body, session) };
    refresh();
  };
  const buttonOf = (panel: ConsolePanel): HTMLElement => {
    const isOpen = opened?.panel === panel;
    const made = iconButton({
      icon: panel.icon,
      title: unread.has(panel.id) ? `${panel.title} (${consoleTexts.panels.unread})` : panel.title,
      press: () => (isOpen ? close() : open(panel)),
      unable: session.unable[panel.permission ?? ''],
      pressed: isOpen,
    });
    made.classList.toggle('news', unread.has(panel.id));
    made.dataset['panel'] = panel.id;
    return made;
  };
  const isOffered = ({ permission }: ConsolePanel): boolean =>
    permission === null || session.permissions.has(permission) || permission in session.unable;
  const refresh = (): void => {
    if (session.state.phase === 'live') fill(buttons, ...panels.filter(isOffered).map(buttonOf));
  };
  for (const panel of panels)
    panel.subscribe?.(session, () => {
      if (opened?.panel === panel) return;
      unread.add(panel.id);
      refresh();
    });
  return { dock, buttons, refresh };
}

const headerOf = ({ title }: ConsolePanel, close: () => void): HTMLElement =>
  element(
    'header',
    { class: 'side-head' },
    element('h2', {}, title),
    iconButton({ icon: 'end', title: consoleTexts.panels.close, press: close }),
  );
