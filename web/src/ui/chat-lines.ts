/** The lines of a chat as they come: each is drawn once, and the oldest go, so that nobody who writes without end holds up the page. */

/** Lines that are kept and shown. */
export const maxLines = 500;

const toBeScrolled = new WeakSet<HTMLElement>();

/** Adds a line at the end and shows it. */
export function addLine(list: HTMLElement, line: HTMLElement): void {
  list.append(line);
  while (list.children.length > maxLines) list.firstElementChild!.remove();
  if (toBeScrolled.has(list)) return;
  toBeScrolled.add(list);
  // To know how high the list is costs the page a look at all of it: once for all lines that come together.
  requestAnimationFrame(() => {
    toBeScrolled.delete(list);
    list.scrollTop = list.scrollHeight;
  });
}
