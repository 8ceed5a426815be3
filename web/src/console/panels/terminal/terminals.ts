/** The open terminals: a tab for each, which live on while the panel is closed. */
import type { RemoteSession } from '../../../session/session.ts';
import { iconButton } from '../../../ui/button.ts';
import { element, fill } from '../../../ui/element.ts';
import { consolePanelTexts } from '../texts.ts';
import { openTerminal, type OpenTerminal } from './open-terminal.ts';

const { terminal: texts } = consolePanelTexts;
const maxTerminals = 8;

export interface Terminals {
  show(container: HTMLElement): void;
  hide(): void;
}

export function createTerminals(session: RemoteSession): Terminals {
  const open: OpenTerminal[] = [];
  let lastId = 0;
  let current: OpenTerminal | undefined;
  const tabs = element('div', { class: 'terminal-tabs', role: 'tablist' });
  const body = element('div', { class: 'terminal-place' });

  const choose = (terminal: OpenTerminal): void => {
    current = terminal;
    fill(body, terminal.element);
    terminal.fit();
    draw();
  };
  const add = (): void => {
    const terminal = openTerminal(session, (lastId += 1));
    open.push(terminal);
    choose(terminal);
  };
  const drop = (terminal: OpenTerminal): void => {
    terminal.close();
    open.splice(open.indexOf(terminal), 1);
    if (current !== terminal) return draw();
    current = undefined;
    const next = open.at(-1);
    if (next) choose(next);
    else add();
  };
  const tab = (terminal: OpenTerminal): HTMLElement => {
    const isCurrent = terminal === current;
    const press = (): void => choose(terminal);
    return element(
      'span',
      { class: isCurrent ? 'terminal-tab current' : 'terminal-tab' },
      element(
        'button',
        { type: 'button', role: 'tab', 'aria-selected': String(isCurrent), onclick: press },
        texts.tab(terminal.id),
      ),
      iconButton({ icon: 'end', title: texts.close, press: () => drop(terminal) }),
    );
  };
  const draw = (): void => {
    const more = open.length < maxTerminals && iconButton({ icon: 'add', title: texts.add, press: add });
    fill(tabs, ...open.map(tab), more);
  };
  const resizeObserver = new ResizeObserver(() => current?.fit());

  return {
    show(container) {
      fill(container, tabs, body);
      resizeObserver.observe(body);
      if (current) choose(current);
      else add();
    },
    hide: () => resizeObserver.disconnect(),
  };
}
