/** A menu below its button, usable with mouse, touch and keyboard. */
import { iconButton, type IconButtonOptions } from './button.ts';
import { element, fill } from './element.ts';
import { icon } from './icons.ts';

export interface MenuItem {
  text: string;
  /** A smaller text after the text. */
  hint?: string | undefined;
  /** Whether it is checked; for options and switches. */
  checked?: boolean;
  unable?: string | undefined;
  /** True for switches of which people use several at a time: the menu stays open. */
  keepsOpen?: boolean;
  choose(): void;
}

/** A heading, a group of items, or other content. */
export type MenuPart = { heading: string } | { items: readonly MenuItem[] } | { content: Node };

const gap = 6;
const narrow = 480;
let lastId = 0;

/**
 * The parts are created each time the menu opens, so that they are never stale, and again when `subscribe` reports a
 * change while the menu is open.
 */
export function menu(
  options: Omit<IconButtonOptions, 'press'>,
  parts: () => readonly MenuPart[],
  subscribe?: (onChange: () => void) => void,
): HTMLElement {
  const id = `menu-${(lastId += 1)}`;
  const list = element('div', {
    id,
    class: 'menu',
    popover: 'auto',
    role: 'menu',
    'aria-label': options.title,
  });
  const opener = iconButton(options);
  if (options.unable === undefined) opener.popoverTargetElement = list;
  opener.setAttribute('aria-haspopup', 'menu');
  const draw = (): void => fill(list, ...parts().map((part) => drawPart(part, choose)));
  const choose = (item: MenuItem): void => {
    if (!item.keepsOpen) list.hidePopover();
    item.choose();
    if (item.keepsOpen) redraw(list, draw);
  };
  list.addEventListener('beforetoggle', ({ newState }) => {
    if (newState !== 'open') return;
    draw();
    positionBelow(list, opener.getBoundingClientRect());
  });
  list.addEventListener('toggle', ({ newState }) => newState === 'open' && itemsOf(list)[0]?.focus());
  list.addEventListener('keydown', (event) => moveFocus(event, list));
  subscribe?.(() => list.matches(':popover-open') && redraw(list, draw));
  return element('span', { class: 'menu-place' }, opener, list);
}

/** Changes the title of a menu that `menu` has created. */
export function renameMenu(place: Element, title: string): void {
  const [opener, list] = place.children;
  opener!.setAttribute('title', title);
  for (const each of [opener!, list!]) each.setAttribute('aria-label', title);
}

/** Keeps the focus at its place in the list. */
function redraw(list: HTMLElement, draw: () => void): void {
  const focused = itemsOf(list).indexOf(document.activeElement as HTMLElement);
  draw();
  const items = itemsOf(list);
  if (focused >= 0) items[Math.min(focused, items.length - 1)]?.focus();
}

type Choose = (item: MenuItem) => void;

function drawPart(part: MenuPart, choose: Choose): Node {
  if ('content' in part) return part.content;
  if ('heading' in part) return element('p', { class: 'menu-heading', role: 'presentation' }, part.heading);
  return element(
    'div',
    { class: 'menu-group', role: 'group' },
    ...part.items.map((item) => drawItem(item, choose)),
  );
}

function drawItem(item: MenuItem, choose: Choose): HTMLElement {
  const { text, hint, checked, unable } = item;
  const press = (): void => {
    if (!unable) choose(item);
  };
  return element(
    'button',
    {
      type: 'button',
      class: 'menu-item',
      role: checked === undefined ? 'menuitem' : 'menuitemcheckbox',
      'aria-checked': checked === undefined ? undefined : String(checked),
      'aria-disabled': unable ? 'true' : undefined,
      title: unable,
      onclick: press,
    },
    element('span', { class: 'menu-mark' }, checked === true && icon('check')),
    element(
      'span',
      { class: 'menu-text' },
      text,
      unable !== undefined && element('span', { class: 'menu-hint below' }, unable),
    ),
    hint !== undefined && element('span', { class: 'menu-hint' }, hint),
  );
}

/** Places the menu below its button: aligned to the nearer edge, or across the full width of a phone. */
function positionBelow({ style }: HTMLElement, { left, right, bottom }: DOMRect): void {
  const [isNarrow, isLeft] = [innerWidth < narrow, left + right < innerWidth];
  style.left = isNarrow ? `${gap}px` : isLeft ? `${left}px` : 'auto';
  style.right = isNarrow ? `${gap}px` : isLeft ? 'auto' : `${innerWidth - right}px`;
  style.top = `${bottom + gap}px`;
  style.maxHeight = `${innerHeight - bottom - 2 * gap}px`;
}

const itemsOf = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('.menu-item')];

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  const items = itemsOf(list);
  const step = steps[event.key];
  const isTyping = event.target instanceof HTMLTextAreaElement;
  if (!step || isTyping || items.length === 0) return;
  event.preventDefault();
  items[step(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
}
