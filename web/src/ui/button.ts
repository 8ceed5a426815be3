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
  /** A text shown beside the icon where there is space. */
  label?: string | undefined;
}

/** A button that cannot be used stays focusable, so that people can read the reason. */
export function iconButton({
  icon: name,
  title,
  press,
  unable,
  pressed,
  label,
}: IconButtonOptions): HTMLButtonElement {
  return element(
    'button',
    {
      type: 'button',
      class: 'tool',
      title: unable ? `${title}: ${unable}` : title,
      'aria-label': unable ? `${title}: ${unable}` : title,
      'aria-disabled': unable ? 'true' : undefined,
      'aria-pressed': pressed === undefined ? undefined : String(pressed),
      onclick: () => unable || press?.(),
    },
    icon(name),
    label !== undefined && element('span', { class: 'tool-label' }, label),
  );
}
