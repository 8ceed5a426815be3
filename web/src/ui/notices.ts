/** Short sentences at the lower edge: they go by themselves, but for refusals where one can close them. */
import { element } from './element.ts';
import { icon } from './icons.ts';

const shownMs = 6_000;
const mostShown = 6;

export interface Notices {
  /** Stays in the page, empty or not: what is put in a place that is not there yet is not always read aloud. */
  element: HTMLElement;
  show(text: string, look?: 'plain' | 'bad'): void;
  clear(): void;
}

/** `close`: what the button says by which a refusal is closed; without it refusals go by themselves too. */
export function createNotices({ close }: { close?: string } = {}): Notices {
  const lists = {
    bad: element('div', { role: 'alert' }),
    plain: element('div', { role: 'status', 'aria-live': 'polite' }),
  };
  const all = element('div', { class: 'notices' }, lists.bad, lists.plain);
  /** Where the focus came from. */
  let before: EventTarget | null = null;
  all.addEventListener('focusin', ({ relatedTarget }) => {
    if (!all.contains(relatedTarget as Node | null)) before = relatedTarget;
  });

  const closer = (notice: HTMLElement): HTMLElement =>
    element(
      'button',
      {
        type: 'button',
        class: 'notice-close',
        title: close,
        'aria-label': close,
        onclick: () => {
          notice.remove();
          if (before instanceof HTMLElement) before.focus();
        },
      },
      icon('end'),
    );

  const show: Notices['show'] = (text, look = 'plain') => {
    const same = [...lists[look].children].find(({ textContent }) => textContent === text);
    // The same sentence again and again would only hide the others; a refusal is read aloud once more.
    if (same && look === 'plain') return;
    same?.remove();
    const notice = element('div', { class: `notice ${look}` }, element('p', {}, text));
    if (look === 'bad' && close !== undefined) notice.append(closer(notice));
    else setTimeout(() => notice.remove(), shownMs);
    lists[look].append(notice);
    // However many come at once, the page can still be used.
    while (lists[look].children.length > mostShown) lists[look].firstElementChild!.remove();
  };
  return {
    element: all,
    show,
    clear: () => Object.values(lists).forEach((list) => list.replaceChildren()),
  };
}
