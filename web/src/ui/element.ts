/** Builds elements without parsing markup, so that text from elsewhere is never interpreted as HTML. */

type Child = Node | string | undefined | false;
type Value = string | number | boolean | undefined;

export interface Attributes {
  [name: string]: Value | ((event: never) => void);
}

/** Functions become event listeners (`onclick`), `true` an empty attribute; `false` and undefined are skipped. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Replaces all children, unless they are the same: an element that is put back loses focus, clicks and open menus. */
export function fill(parent: Element, ...children: readonly Child[]): void {
  const next = children.filter((child) => child !== undefined && child !== false);
  const { childNodes } = parent;
  const isSame =
    next.length === childNodes.length && next.every((child, index) => child === childNodes[index]);
  if (!isSame) parent.replaceChildren(...next);
}
