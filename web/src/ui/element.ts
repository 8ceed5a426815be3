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

/** Replaces all children. */
export const fill = (parent: Element, ...children: readonly Child[]): void =>
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
