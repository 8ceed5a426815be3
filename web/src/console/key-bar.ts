/** The bar with the keys that the keyboard of a phone lacks: sticky modifiers, Tab, Esc and arrows. */
import { element } from '../ui/element.ts';
import { icon } from '../ui/icons.ts';
import type { OnScreenKeyboard } from './input/on-screen-keyboard.ts';
import { namedKey, type KeyCombination } from './input/special-keys.ts';
import type { StickyInput } from './input/sticky-input.ts';
import { modifiers, type Modifier } from './input/sticky-modifiers.ts';
import { consoleTexts } from './texts.ts';

const { keyBar: texts } = consoleTexts;

const repeatDelayMs = 400;
const repeatMs = 60;

const arrows = { ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', ArrowRight: '→' } as const;

export interface KeyBar {
  element: HTMLElement;
  /** Hides the bar while the operator cannot use the keyboard. */
  show(isUsable: boolean): void;
}

export function createKeyBar(input: StickyInput, keyboard: OnScreenKeyboard): KeyBar {
  const bar = element(
    'section',
    { class: 'key-bar', 'aria-label': texts.label, hidden: true },
    keyboardButton(keyboard),
    ...modifiers.map((modifier) => modifierButton(input, modifier)),
    keyButton(texts.tab, () => input.pressKeys(namedKey('Tab'))),
    keyButton(texts.escape, () => input.pressKeys(namedKey('Escape'))),
    ...Object.entries(arrows).map(([name, sign]) => arrowButton(input, name as keyof typeof arrows, sign)),
  );
  // The text field keeps the focus, because without it the keyboard would close and everything would be released.
  bar.addEventListener('pointerdown', (event) => event.preventDefault());
  bar.addEventListener('contextmenu', (event) => event.preventDefault());
  return { element: bar, show: (isUsable) => (bar.hidden = !isUsable) };
}

/** A click without a pointer, by a keyboard or a screen reader, has the detail 0. */
const keyButton = (
  text: string | SVGElement,
  press: (event: MouseEvent) => void,
  label?: string,
): HTMLButtonElement =>
  element('button', { type: 'button', class: 'bar-key', 'aria-label': label, onclick: press }, text);

function keyboardButton(keyboard: OnScreenKeyboard): HTMLElement {
  const made = keyButton(icon('keyboard'), () => keyboard.toggle(), texts.keyboard);
  const refresh = (): void => made.setAttribute('aria-pressed', String(keyboard.isOpen));
  keyboard.onChange(refresh);
  refresh();
  return made;
}

function modifierButton(input: StickyInput, modifier: Modifier): HTMLElement {
  const made = keyButton(texts[modifier], ({ timeStamp }) => input.tapModifier(modifier, timeStamp));
  const refresh = (): void => {
    const state = input.stateOf(modifier);
    made.dataset['state'] = state;
    made.setAttribute('aria-pressed', String(state !== 'off'));
    // Screen readers tell a modifier for one key from a locked one.
    made.setAttribute('aria-label', state === 'locked' ? texts.locked(texts[modifier]) : texts[modifier]);
  };
  input.onModifiers(refresh);
  refresh();
  return made;
}

/** Presses the key again and again while it is held. */
function arrowButton(input: StickyInput, name: keyof typeof arrows, sign: string): HTMLElement {
  const key = namedKey(name);
  let stop: (() => void) | undefined;
  const made = keyButton(
    sign,
    ({ detail }) => void (detail === 0 && input.pressKeys(key)),
    texts.arrows[name],
  );
  made.addEventListener('pointerdown', ({ pointerId, button }) => {
    if (button !== 0) return;
    stop?.();
    made.setPointerCapture(pointerId);
    stop = pressRepeatedly(input, key, made);
  });
  made.addEventListener('lostpointercapture', () => stop?.());
  return made;
}

/** A modifier for one key counts for all of these presses. A button that is removed while it is held hears of no release. */
function pressRepeatedly(input: StickyInput, key: KeyCombination, button: HTMLElement): () => void {
  const held = input.heldOnce();
  const again = (): void => {
    if (!button.isConnected) return;
    input.pressKeys([...held, ...key]);
    timer = setTimeout(again, repeatMs);
  };
  input.pressKeys(key);
  let timer = setTimeout(again, repeatDelayMs);
  return () => clearTimeout(timer);
}
