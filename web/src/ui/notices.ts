/** Short notices at the lower edge. They disappear by themselves, except errors with a close button. */
import { element } from './element.ts';
import { icon } from './icons.ts';

const shownMs = 6_000;
const maxShown = 6;

export interface Notices {
  /** Keep it in the page even while empty: screen readers often ignore live regions that are added later. */
  element: HTMLElement;
  show(text: string, look?: 'plain' | 'bad'): void;
  clear(): void;
}

interface NoticesState {
  /** The label of the close button on errors; without it, errors disappear by themselves too. */
  close: string | undefined;
  lists: { bad: HTMLElement; plain: HTMLElement };
  /** Where the focus was before it moved into the notices. */
  focusedBefore: EventTarget | null;
}

export function createNotices({ close }: { close?: string } = {}): Notices {
  const lists = {
    bad: element('div', { role: 'alert' }),
    plain: element('div', { role: 'status', 'aria-live': 'polite' }),
  };
  const all = element('div', { class: 'notices' }, lists.bad, lists.plain);
  const state: NoticesState = { close, lists, focusedBefore: null };
  all.addEventListener('focusin', ({ relatedTarget }) => {
    if (!all.contains(relatedTarget as Node | null)) state.focusedBefore = relatedTarget;
  });
  return {
    element: all,
    show: (text, look = 'plain') => show(state, text, look),
    clear: () => Object.values(lists).forEach((list) => list.replaceChildren()),
  };
}

function show(state: NoticesState, text: string, look: 'plain' | 'bad'): void {
  const list = state.lists[look];
  const same = [...list.children].find(({ textContent }) => textContent === text);
  // Repeating the same text would only hide the others; screen readers read a repeated error again.
  if (same && look === 'plain') return;
  same?.remove();
  const notice = element('div', { class: `notice ${look}` }, element('p', {}, text));
  if (look === 'bad' && state.close !== undefined) notice.append(closeButton(state, notice));
  else setTimeout(() => notice.remove(), shownMs);
  list.append(notice);
  // Many notices at once must not cover the page.
  while (list.children.length > maxShown) list.firstElementChild!.remove();
}

function closeButton(state: NoticesState, notice: HTMLElement): HTMLElement {
  const { close } = state;
  const press = (): void => {
    notice.remove();
    if (state.focusedBefore instanceof HTMLElement) state.focusedBefore.focus();
  };
  return element(
    'button',
    { type: 'button', class: 'notice-close', title: close, 'aria-label': close, onclick: press },
    icon('end'),
  );
}
