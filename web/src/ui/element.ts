/** Builds elements without markup as text: what comes from elsewhere can only ever become text. */

type Child = Node | string | undefined | false;
type Value = string | number | boolean | undefined;

export interface Attributes {
  [name: string]: Value | ((event: never) => void);
}

/** Functions listen (`onclick`), `true` is an attribute without a value, `false` and undefined are none. */
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

/** Puts these in the place of all that was in it. */
export const fill = (parent: Element, ...children: readonly Child[]): void =>
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
