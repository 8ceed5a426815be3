/** Buttons with a text, or with an icon and a text for screen readers. */
import { element } from './element.ts';
import { icon, type IconName } from './icons.ts';

export function button(text: string, press: () => void, look = ''): HTMLButtonElement {
  return element('button', { type: 'button', class: `button ${look}`, onclick: press }, text);
}

export interface IconButtonOptions {
  icon: IconName;
  /** The accessible name and the tooltip. */
  title: string;
  press?: (() => void) | undefined;
  /** The reason why it cannot be used. */
  unable?: string | undefined;
  /** For a toggle button. */
  pressed?: boolean | undefined;
  /** For a toggle button whose title says what a press does: only its look changes with it. */
  isOn?: boolean | undefined;
  /** A text shown beside the icon where there is space. */
  label?: string | undefined;
}

/** What of a button can change. */
export type IconButtonState = Pick<IconButtonOptions, 'title' | 'unable' | 'pressed' | 'isOn' | 'label'>;

/** A button that cannot be used stays focusable, so that people can read the reason. */
export function iconButton({ icon: name, press, ...state }: IconButtonOptions): HTMLButtonElement {
  const made: HTMLButtonElement = element(
    'button',
    { type: 'button', class: 'tool', onclick: () => made.ariaDisabled === 'true' || press?.() },
    icon(name),
    state.label !== undefined && element('span', { class: 'tool-label' }),
  );
  updateIconButton(made, state);
  return made;
}

/** Changes a button in place, so that it keeps the focus and a click on it is not lost. */
export function updateIconButton(
  made: HTMLButtonElement,
  { title, unable, pressed, isOn = false, label }: IconButtonState,
): void {
  const text = unable ? `${title}: ${unable}` : title;
  const attributes = {
    title: text,
    'aria-label': text,
    'aria-disabled': unable ? 'true' : undefined,
    'aria-pressed': pressed === undefined ? undefined : String(pressed),
  };
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined) made.removeAttribute(name);
    else made.setAttribute(name, value);
  made.classList.toggle('on', isOn);
  const shown = made.querySelector('.tool-label');
  if (shown) shown.textContent = label ?? '';
}
