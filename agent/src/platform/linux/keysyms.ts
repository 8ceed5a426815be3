/** Maps the keys of browsers to X11 keycodes and keysyms, and keysyms to characters. */
import { legacyKeysyms } from './x11/keyboard/legacy-symbols.ts';

/** An X11 keycode is the kernel's number of the key plus 8. */
const kernelOffset = 8;

const row = (first: number, names: string): [string, number][] =>
  names.split(' ').map((name, index) => [name, first + index + kernelOffset]);

/** Keycodes by KeyboardEvent.code in the numbering of Linux, which all current displays use. */
export const keycodes: ReadonlyMap<string, number> = new Map([
  ...row(
    1,
    'Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace Tab',
  ),
  ...row(16, 'KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft'),
  ...row(30, 'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash'),
  ...row(44, 'KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft'),
  ...row(57, 'Space CapsLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NumLock ScrollLock'),
  ...row(71, 'Numpad7 Numpad8 Numpad9 NumpadSubtract Numpad4 Numpad5 Numpad6 NumpadAdd Numpad1 Numpad2'),
  ...row(81, 'Numpad3 Numpad0 NumpadDecimal'),
  ...row(86, 'IntlBackslash F11 F12 IntlRo'),
  ...row(96, 'NumpadEnter ControlRight NumpadDivide PrintScreen AltRight'),
  ...row(102, 'Home ArrowUp PageUp ArrowLeft ArrowRight End ArrowDown PageDown Insert Delete'),
  ...row(113, 'AudioVolumeMute AudioVolumeDown AudioVolumeUp Power NumpadEqual'),
  ...row(119, 'Pause'),
  ...row(124, 'IntlYen MetaLeft MetaRight ContextMenu'),
]);

/** Symbols by KeyboardEvent.key for keys that are not characters; if left and right differ, the code decides. */
const named: Record<string, number> = {
  Backspace: 0xff08,
  Tab: 0xff09,
  Clear: 0xff0b,
  Enter: 0xff0d,
  Pause: 0xff13,
  ScrollLock: 0xff14,
  Escape: 0xff1b,
  Home: 0xff50,
  ArrowLeft: 0xff51,
  ArrowUp: 0xff52,
  ArrowRight: 0xff53,
  ArrowDown: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  PrintScreen: 0xff61,
  Insert: 0xff63,
  Undo: 0xff65,
  ContextMenu: 0xff67,
  Find: 0xff68,
  Cancel: 0xff69,
  Help: 0xff6a,
  NumLock: 0xff7f,
  Shift: 0xffe1,
  Control: 0xffe3,
  CapsLock: 0xffe5,
  Alt: 0xffe9,
  Meta: 0xffeb,
  OS: 0xffeb,
  Delete: 0xffff,
  AudioVolumeDown: 0x1008ff11,
  AudioVolumeMute: 0x1008ff12,
  AudioVolumeUp: 0x1008ff13,
  MediaPlayPause: 0x1008ff14,
  MediaStop: 0x1008ff15,
  MediaTrackPrevious: 0x1008ff16,
  MediaTrackNext: 0x1008ff17,
};

const rightHand: Record<string, number> = {
  ShiftRight: 0xffe2,
  ControlRight: 0xffe4,
  AltRight: 0xffea,
  MetaRight: 0xffec,
};

/** Symbols of the keypad by KeyboardEvent.key; they differ from those of the same keys elsewhere. */
const keypad: Record<string, number> = {
  Enter: 0xff8d,
  Home: 0xff95,
  ArrowLeft: 0xff96,
  ArrowUp: 0xff97,
  ArrowRight: 0xff98,
  ArrowDown: 0xff99,
  PageUp: 0xff9a,
  PageDown: 0xff9b,
  End: 0xff9c,
  Clear: 0xff9d,
  Insert: 0xff9e,
  Delete: 0xff9f,
  '*': 0xffaa,
  '+': 0xffab,
  ',': 0xffac,
  '-': 0xffad,
  '.': 0xffae,
  '/': 0xffaf,
  '=': 0xffbd,
};

/** Returns the symbols of a key that is not a character, the most likely first; empty if the key is unknown. */
export function symbolsOfKey(code: string, key: string): readonly number[] {
  const functionKey = /^F(\d{1,2})$/.exec(key);
  if (functionKey && Number(functionKey[1]) <= 35) return [0xffbd + Number(functionKey[1])];
  const own = Object.hasOwn(rightHand, code) ? [rightHand[code]!] : [];
  const pad = code.startsWith('Numpad') ? keypadSymbols(key) : [];
  return [...own, ...pad, ...(Object.hasOwn(named, key) ? [named[key]!] : [])];
}

function keypadSymbols(key: string): number[] {
  if (/^\d$/.test(key)) return [0xffb0 + Number(key)];
  return Object.hasOwn(keypad, key) ? [keypad[key]!] : [];
}

const legacySymbols = new Map([...legacyKeysyms].map(([symbol, character]) => [character, symbol]));

const unicodeSymbols = 0x0100_0000;

const isLatin = (point: number): boolean =>
  (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff);

/** Returns the symbols of a character, first the one to assign to a new key. */
export function symbolsOfCharacter(character: string): readonly number[] {
  const point = character.codePointAt(0)!;
  if (isLatin(point)) return [point, unicodeSymbols + point];
  const old = legacySymbols.get(character);
  return old === undefined ? [unicodeSymbols + point] : [unicodeSymbols + point, old];
}

export function characterOf(symbol: number): string | undefined {
  if (isLatin(symbol)) return String.fromCodePoint(symbol);
  if (symbol > unicodeSymbols && symbol <= unicodeSymbols + 0x10ffff)
    return String.fromCodePoint(symbol - unicodeSymbols);
  if (symbol >= 0xffaa && symbol <= 0xffb9) return String.fromCodePoint(symbol - 0xff80);
  return legacyKeysyms.get(symbol);
}
