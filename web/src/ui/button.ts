/** Buttons: with a word, or with a picture and a word for those who do not see it. */
import { element } from './element.ts';
import { icon, type IconName } from './icons.ts';

export function button(text: string, press: () => void, look = ''): HTMLButtonElement {
  return element('button', { type: 'button', class: `button ${look}`, onclick: press }, text);
}

export interface IconButtonOptions {
  icon: IconName;
  /** Read aloud, and shown when the pointer rests on it. */
  title: string;
  press?: (() => void) | undefined;
  /** A reason why it can not be used. */
  unable?: string | undefined;
  /** For a button that is on or off. */
  pressed?: boolean | undefined;
  /** Also written beside the picture where there is room. */
  label?: string | undefined;
}

/** A button that can not be used stays reachable, so that its reason can be read. */
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
