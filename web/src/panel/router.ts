/** Client-side routing: the browser's address as signals, and navigation without reloading. */
import { computed, signal } from '@preact/signals';

const address = signal(location.pathname + location.search);

export const path = computed(() => address.value.split('?')[0]!.replace(/(.)\/$/, '$1'));
export const query = computed(() => new URLSearchParams(address.value.split('?')[1] ?? ''));

addEventListener('popstate', () => (address.value = location.pathname + location.search));

/** Goes to another page; with `replace`, the current page is removed from the history. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  address.value = to;
  if (!replace) scrollTo(0, 0);
}

/** Changes parameters of the query string; empty values are removed. */
export function setQuery(values: Record<string, string>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  navigate(location.pathname + (text && `?${text}`), { replace: true });
}

/** The named parameters of a path such as `/panel/devices/:id`, or undefined if the path does not match. */
export function matchPath(pattern: string, actual: string): Record<string, string> | undefined {
  const [want, have] = [pattern.split('/'), actual.split('/')];
  if (want.length !== have.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of want.entries()) {
    const given = have[index]!;
    if (part.startsWith(':')) found[part.slice(1)] = given;
    else if (part !== given) return undefined;
  }
  return found;
}

/** Click handler that makes ordinary links inside the panel navigate without reloading. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.hash || link.origin !== location.origin)
    return;
  if (!link.pathname.startsWith('/panel') || link.pathname.startsWith('/panel/api/')) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
