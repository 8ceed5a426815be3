/** Short sentences at the lower edge that go by themselves. */
import { element } from './element.ts';

const shownMs = 6_000;

export interface Notices {
  element: HTMLElement;
  say(text: string, look?: 'plain' | 'bad'): void;
}

export function createNotices(): Notices {
  const list = element('div', { class: 'notices', role: 'status', 'aria-live': 'polite' });
  const say: Notices['say'] = (text, look = 'plain') => {
    // The same sentence again and again would only hide the others.
    if ([...list.children].some(({ textContent }) => textContent === text)) return;
    const notice = element('p', { class: `notice ${look}` }, text);
    list.append(notice);
    setTimeout(() => notice.remove(), shownMs);
  };
  return { element: list, say };
}
