/** Sends keys while the screen has the focus. Input of phone keyboards and input methods is sent as text. */
import { namedKey } from './special-keys.ts';
import type { StickyInput } from './sticky-input.ts';
import { diffText } from './text-edit.ts';
import { isTouchScreen } from './touch.ts';

export interface KeyboardOptions {
  /** An invisible field that has the focus for the canvas. */
  textInput: HTMLTextAreaElement;
  input: StickyInput;
  /** Sends the pasted text to the device's clipboard. */
  paste(text: string): void;
  /** Whether pasted text is sent before the key that pastes it. */
  mayPaste(): boolean;
  /** Moves the focus out of the screen by keyboard. */
  leave(): void;
}

/** The field is never empty: phone keyboards report a backspace only when there is something to delete. */
const placeholder = '\u200b\u200b';
const altGraphMs = 15;
const textOnlyKeys = new Set(['Process', 'Unidentified', 'Dead']);
const codelessKeys = /^(Enter|Backspace|Tab|Escape|Delete|Home|End|PageUp|PageDown|Arrow\w+)$/;

export function listenToKeyboard(options: KeyboardOptions): void {
  listenToKeys(options);
  listenToText(options.textInput, options.input);
}

/** A key press that waits for another event. */
interface DelayedPress {
  schedule(press: () => void, ms?: number): void;
  /** Sends the press now. */
  release(): void;
  drop(): void;
}

function createDelayedPress(): DelayedPress {
  let waiting: (() => void) | undefined;
  const release = (): void => {
    const press = waiting;
    waiting = undefined;
    press?.();
  };
  return {
    schedule(press, ms = 0) {
      waiting = press;
      setTimeout(release, ms);
    },
    release,
    drop: () => (waiting = undefined),
  };
}

function listenToKeys({ textInput, input, paste, mayPaste, leave }: KeyboardOptions): void {
  /** The V of Ctrl+V waits for the pasted text. */
  const pasting = createDelayedPress();
  /** Windows reports AltGr as Ctrl followed by AltGr, so Ctrl waits to see whether AltGr follows. */
  const control = createDelayedPress();

  textInput.addEventListener('keydown', (event) => {
    const { key, code, ctrlKey, altKey, shiftKey, metaKey } = event;
    const keyCode = code || (codelessKeys.test(key) ? key : '');
    if (event.isComposing || textOnlyKeys.has(key) || keyCode === '') return;
    if (key === 'AltGraph') control.drop();
    control.release();
    if (ctrlKey && altKey && shiftKey && key !== 'AltGraph') return leave();
    const press = (): void => input.key({ down: true, code: keyCode, key });
    const isPasting = (ctrlKey || metaKey) && code === 'KeyV' && mayPaste();
    if (!isPasting) event.preventDefault();
    if (event.repeat) return;
    if (isPasting) pasting.schedule(press);
    else if (isWindows && code === 'ControlLeft') control.schedule(press, altGraphMs);
    else press();
  });
  textInput.addEventListener('keyup', (event) => {
    control.release();
    pasting.release();
    input.key({ down: false, code: event.code || event.key, key: event.key });
    // macOS sends no keyup for keys that are released while Command is down.
    if (event.key === 'Meta') input.releaseAll();
    event.preventDefault();
  });
  textInput.addEventListener('paste', (event) => {
    event.preventDefault();
    paste(event.clipboardData?.getData('text/plain') ?? '');
    pasting.release();
  });
}

const isWindows = navigator.userAgent.includes('Windows');

function listenToText(textInput: HTMLTextAreaElement, input: StickyInput): void {
  let before = placeholder;
  const clear = (): void => {
    textInput.value = before = placeholder;
    textInput.setSelectionRange(placeholder.length, placeholder.length);
  };
  const sendEdit = (): void => {
    const { back, text } = diffText(before, textInput.value);
    before = textInput.value;
    for (let count = 0; count < back; count += 1) input.pressKeys(namedKey('Backspace'));
    text.split('\n').forEach((line, index) => {
      if (index > 0) input.pressKeys(namedKey('Enter'));
      if (line !== '') input.text(line);
    });
  };
  // A phone sends text while it is composed, because people read it on the device; an input method when it is done.
  textInput.addEventListener('input', ({ isComposing }) => {
    // A shortcut is no text that the keyboard may correct later.
    const isShortcut = input.hasModifiers();
    if (!isComposing || isTouchScreen()) sendEdit();
    if (!isComposing || isShortcut) clear();
  });
  textInput.addEventListener('compositionend', () => {
    sendEdit();
    clear();
  });
  textInput.addEventListener('focus', clear);
  clear();
}
