/** The keys below a terminal that the keyboard of a phone lacks: Ctrl for the next character, Esc, Tab and arrows. */
import { element } from '../../../ui/element.ts';
import { consoleTexts } from '../../texts.ts';

const { keyBar: texts } = consoleTexts;

/** What the terminal sends for an arrow ends with this letter. */
const arrows = {
  ArrowLeft: ['←', 'D'],
  ArrowUp: ['↑', 'A'],
  ArrowDown: ['↓', 'B'],
  ArrowRight: ['→', 'C'],
} as const;

export interface KeyTarget {
  /** Types into the terminal. */
  type(text: string): void;
  /** Whether the program in the terminal has asked for the other form of arrow keys. */
  hasApplicationArrows(): boolean;
}

export interface TerminalKeys {
  element: HTMLElement;
  /** Returns what a typed text becomes: with Ctrl, its first character becomes a control character. */
  apply(text: string): string;
}

export function createTerminalKeys(target: KeyTarget): TerminalKeys {
  let isControl = false;
  const setControl = (on: boolean): void => {
    isControl = on;
    controlKey.setAttribute('aria-pressed', String(on));
  };
  const key = (text: string, press: () => void, label = text): HTMLElement =>
    element('button', { type: 'button', class: 'bar-key', 'aria-label': label, onclick: press }, text);
  const controlKey = key(texts.control, () => setControl(!isControl));
  const arrowKeys = Object.entries(arrows).map(([name, [sign, letter]]) => {
    const press = (): void => {
      const start = isControl ? '[1;5' : target.hasApplicationArrows() ? 'O' : '[';
      setControl(false);
      target.type(`\x1b${start}${letter}`);
    };
    return key(sign, press, texts.arrows[name as keyof typeof arrows]);
  });
  setControl(false);
  const bar = element(
    'section',
    { class: 'key-bar', 'aria-label': texts.label },
    controlKey,
    key(texts.escape, () => target.type('\x1b')),
    key(texts.tab, () => target.type('\t')),
    ...arrowKeys,
  );
  // The terminal keeps the focus, because without it the keyboard would close.
  bar.addEventListener('pointerdown', (event) => event.preventDefault());
  return {
    element: bar,
    apply(text) {
      if (!isControl) return text;
      setControl(false);
      return toControl(text.slice(0, 1)) + text.slice(1);
    },
  };
}

/** `c` becomes Ctrl+C. A character without a control character stays as it is. */
const toControl = (character: string): string =>
  /^[@-_a-z]$/.test(character)
    ? String.fromCharCode(character.toUpperCase().charCodeAt(0) & 0x1f)
    : character;
