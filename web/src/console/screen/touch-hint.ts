/** A hint about the gestures on a touch screen, shown once in a browser. */
import { button } from '../../ui/button.ts';
import { element } from '../../ui/element.ts';
import { isTouchScreen } from '../input/touch.ts';
import { consoleTexts } from '../texts.ts';

const { touchHint: texts } = consoleTexts;
const storageKey = 'drawbridge.touch-hint';

/** Undefined if it was shown before, or without a touch screen. */
export function createTouchHint(): HTMLElement | undefined {
  if (!isTouchScreen() || localStorage.getItem(storageKey) !== null) return undefined;
  localStorage.setItem(storageKey, 'shown');
  const lines = texts.gestures.map(([gesture, effect]) =>
    element('li', {}, element('strong', {}, gesture), ` ${effect}`),
  );
  const hint: HTMLElement = element(
    'aside',
    { class: 'touch-hint', 'aria-label': texts.label },
    element('ul', {}, ...lines),
    button(texts.dismiss, () => hint.remove()),
  );
  return hint;
}
