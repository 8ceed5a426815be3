/**
 * Remembers in a tab which link the person has just chosen there, so that its page connects without a second click. Only
 * pages of this server can write this: a link that another site opens is not chosen.
 */

const storageKey = 'drawbridge.chosen-link';

/** `tab`: the one that will show the link. A browser that keeps nothing for the page lets it ask again. */
export function markAsChosen(url: string, tab: Window = window): void {
  try {
    tab.sessionStorage.setItem(storageKey, new URL(url, location.href).pathname);
  } catch {
    // Storage is off, or the tab shows another site by now.
  }
}

/** Whether the link of this page was chosen. The answer is given once, because a reload is not a click. */
export function takeChosen(): boolean {
  try {
    const isChosen = sessionStorage.getItem(storageKey) === location.pathname;
    sessionStorage.removeItem(storageKey);
    return isChosen;
  } catch {
    return false;
  }
}
