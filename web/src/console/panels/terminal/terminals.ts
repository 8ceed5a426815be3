/** The open terminals: a tab for each, which live on while the panel is closed. */
import type { RemoteSession } from '../../../session/session.ts';
import { tool } from '../../../ui/button.ts';
import { element, fill } from '../../../ui/element.ts';
import { consolePanelTexts } from '../texts.ts';
import { openTerminal, type OpenTerminal } from './one.ts';

const { terminal: words } = consolePanelTexts;
const mostTerminals = 8;

export interface Terminals {
  show(container: HTMLElement): void;
  hide(): void;
}

export function createTerminals(session: RemoteSession): Terminals {
  const open: OpenTerminal[] = [];
  let lastId = 0;
  let current: OpenTerminal | undefined;
  const tabs = element('div', { class: 'terminal-tabs', role: 'tablist' });
  const place = element('div', { class: 'terminal-place' });

  const choose = (one: OpenTerminal): void => {
    current = one;
    fill(place, one.element);
    one.fit();
    draw();
  };
  const add = (): void => {
    const one = openTerminal(session, (lastId += 1));
    open.push(one);
    choose(one);
  };
  const drop = (one: OpenTerminal): void => {
    one.close();
    open.splice(open.indexOf(one), 1);
    if (current !== one) return draw();
    current = undefined;
    const next = open.at(-1);
    if (next) choose(next);
    else add();
  };
  const tab = (one: OpenTerminal): HTMLElement => {
    const isCurrent = one === current;
    const press = (): void => choose(one);
    return element(
      'span',
      { class: isCurrent ? 'terminal-tab current' : 'terminal-tab' },
      element(
        'button',
        { type: 'button', role: 'tab', 'aria-selected': String(isCurrent), onclick: press },
        words.tab(one.id),
      ),
      tool({ icon: 'end', title: words.close, press: () => drop(one) }),
    );
  };
  const draw = (): void => {
    const more = open.length < mostTerminals && tool({ icon: 'add', title: words.add, press: add });
    fill(tabs, ...open.map(tab), more);
  };
  const watch = new ResizeObserver(() => current?.fit());

  return {
    show(container) {
      fill(container, tabs, place);
      watch.observe(place);
      if (current) choose(current);
      else add();
    },
    hide: () => watch.disconnect(),
  };
}
