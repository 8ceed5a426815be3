/** The lines of a chat. Each is drawn once and the oldest are removed, so that a flood does not slow the page. */

/** The number of lines that are kept. */
export const maxLines = 500;

const scrollPending = new WeakSet<HTMLElement>();

/** Adds a line at the end and scrolls to it. */
export function addLine(list: HTMLElement, line: HTMLElement): void {
  list.append(line);
  while (list.children.length > maxLines) list.firstElementChild!.remove();
  if (scrollPending.has(list)) return;
  scrollPending.add(list);
  // Reading the height forces a layout, so it is done once per frame for all new lines.
  requestAnimationFrame(() => {
    scrollPending.delete(list);
    list.scrollTop = list.scrollHeight;
  });
}
