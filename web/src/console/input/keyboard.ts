/** Keys pressed while the picture has the focus; what has no keys, such as a phone's keyboard or an input method, arrives as text. */
import type { RemoteInput } from './remote-input.ts';
import { backspaceKey, enterKey } from './special-keys.ts';
import { diffText } from './text-edit.ts';

export interface KeyboardOptions {
  /** Has the focus in the picture's place; invisible. */
  textInput: HTMLTextAreaElement;
  input: RemoteInput;
  /** The person wants to paste: true when the clipboard's text is taken care of. */
  paste(text: string): void;
  /** Whether what is pasted is to be sent before the key that pastes it. */
  mayPaste(): boolean;
  /** The person wants to leave the picture without a mouse. */
  leave(): void;
}

/** Something to take back must always be there: keyboards of phones do not say otherwise that they do. */
const placeholder = '\u200b\u200b';
const isPhone = (): boolean => matchMedia('(pointer: coarse)').matches;
const altGraphMs = 15;
const textOnlyKeys = new Set(['Process', 'Unidentified', 'Dead']);
const codelessKeys = /^(Enter|Backspace|Tab|Escape|Delete|Home|End|PageUp|PageDown|Arrow\w+)$/;

export function listenToKeyboard(options: KeyboardOptions): void {
  listenToKeys(options);
  listenToText(options.textInput, options.input);
}

/** A press that waits for something else to come first. */
interface DelayedPress {
  schedule(press: () => void, ms?: number): void;
  /** Now. */
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
  /** The key that pastes waits for what is pasted. */
  const pasting = createDelayedPress();
  /** Windows says AltGr as Ctrl and AltGr: the first of the two waits to see the second. */
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
    // On a Mac, keys that were let go while Command was down are never heard of.
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

function listenToText(textInput: HTMLTextAreaElement, input: RemoteInput): void {
  let before = placeholder;
  const clear = (): void => {
    textInput.value = before = placeholder;
    textInput.setSelectionRange(placeholder.length, placeholder.length);
  };
  const sendEdit = (): void => {
    const { back, text } = diffText(before, textInput.value);
    before = textInput.value;
    for (let count = 0; count < back; count += 1) input.pressKeys(backspaceKey);
    text.split('\n').forEach((line, index) => {
      if (index > 0) input.pressKeys(enterKey);
      if (line !== '') input.text(line);
    });
  };
  // A phone writes while it composes, as people read there what they write; an input method when it is done.
  textInput.addEventListener('input', ({ isComposing }) => {
    if (!isComposing || isPhone()) sendEdit();
    if (!isComposing) clear();
  });
  textInput.addEventListener('compositionend', () => {
    sendEdit();
    clear();
  });
  textInput.addEventListener('focus', clear);
  clear();
}
