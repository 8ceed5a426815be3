/** The on-screen keyboard of a phone: it is open while the invisible text field has the focus. */

export interface OnScreenKeyboard {
  readonly isOpen: boolean;
  /** Must be called from a click handler, because phones open the keyboard only then. */
  toggle(): void;
  onChange(listener: () => void): void;
}

/** Keyboards are higher than this many pixels; the address bar of a browser is not. */
const minKeyboardHeight = 120;

export function createOnScreenKeyboard(textInput: HTMLTextAreaElement): OnScreenKeyboard {
  const listeners = new Set<() => void>();
  const isOpen = (): boolean => document.activeElement === textInput;
  for (const name of ['focus', 'blur'] as const)
    textInput.addEventListener(name, () => listeners.forEach((listener) => listener()));
  closeWhenDismissed(textInput);
  stayAboveKeyboard();
  return {
    get isOpen() {
      return isOpen();
    },
    toggle: () => (isOpen() ? textInput.blur() : textInput.focus({ preventScroll: true })),
    onChange: (listener) => void listeners.add(listener),
  };
}

/** People also close the keyboard with the back gesture of the phone, which leaves the focus in the field. */
function closeWhenDismissed(textInput: HTMLTextAreaElement): void {
  const { visualViewport } = globalThis;
  let before = { width: innerWidth, height: innerHeight };
  let keyboardHeight = 0;
  textInput.addEventListener('blur', () => (keyboardHeight = 0));
  visualViewport?.addEventListener('resize', () => {
    const now = { width: visualViewport.width, height: visualViewport.height };
    const shrunk = before.height - now.height;
    const isTurned = before.width !== now.width;
    before = now;
    if (isTurned || document.activeElement !== textInput) return;
    if (shrunk > minKeyboardHeight) keyboardHeight = shrunk;
    else if (keyboardHeight > 0 && -shrunk > minKeyboardHeight) textInput.blur();
  });
}

/** Where the keyboard covers the page instead of making it smaller, as on iOS, the page ends above the keyboard. */
function stayAboveKeyboard(): void {
  const { visualViewport } = globalThis;
  const { style } = document.documentElement;
  const apply = ({ scale, height, offsetTop }: VisualViewport): void => {
    const isCovered = scale === 1 && innerHeight - height > minKeyboardHeight;
    style.setProperty('--visible-height', isCovered ? `${height}px` : '');
    style.setProperty('--visible-top', isCovered ? `${offsetTop}px` : '');
  };
  for (const name of ['resize', 'scroll'])
    visualViewport?.addEventListener(name, () => apply(visualViewport));
}
