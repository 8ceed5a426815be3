/** Maps the keys of browsers to the virtual keys of Windows. */

/** A key as SendInput needs it. */
export interface VirtualKey {
  code: number;
  /** One of the keys that keyboards gained after the first PC, such as the arrows beside the keypad. */
  isExtended: boolean;
}

/** Virtual keys by KeyboardEvent.key for keys that are not characters; if left and right differ, the code decides. */
const named: Record<string, number> = {
  Cancel: 0x03,
  Backspace: 0x08,
  Tab: 0x09,
  Clear: 0x0c,
  Enter: 0x0d,
  Pause: 0x13,
  CapsLock: 0x14,
  Escape: 0x1b,
  PageUp: 0x21,
  PageDown: 0x22,
  End: 0x23,
  Home: 0x24,
  ArrowLeft: 0x25,
  ArrowUp: 0x26,
  ArrowRight: 0x27,
  ArrowDown: 0x28,
  PrintScreen: 0x2c,
  Insert: 0x2d,
  Delete: 0x2e,
  Help: 0x2f,
  Meta: 0x5b,
  OS: 0x5b,
  ContextMenu: 0x5d,
  NumLock: 0x90,
  ScrollLock: 0x91,
  Shift: 0xa0,
  Control: 0xa2,
  Alt: 0xa4,
  AudioVolumeMute: 0xad,
  AudioVolumeDown: 0xae,
  AudioVolumeUp: 0xaf,
  MediaTrackNext: 0xb0,
  MediaTrackPrevious: 0xb1,
  MediaStop: 0xb2,
  MediaPlayPause: 0xb3,
};

const rightHand: Record<string, number> = {
  ShiftRight: 0xa1,
  ControlRight: 0xa3,
  AltRight: 0xa5,
  MetaRight: 0x5c,
};

/** Keys of the keypad by KeyboardEvent.key; they type the same whatever the state of NumLock. */
const keypad: Record<string, number> = { '*': 0x6a, '+': 0x6b, '-': 0x6d, '.': 0x6e, ',': 0x6e, '/': 0x6f };
const [keypadZero, keypadDivide, enter] = [0x60, 0x6f, 0x0d];

const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Page up to the arrows, print screen to delete, the Windows keys, NumLock, Ctrl and Alt on the right, and sound. */
const extended = new Set([
  ...rangeOf(0x21, 0x28),
  ...rangeOf(0x2c, 0x2e),
  ...rangeOf(0x5b, 0x5d),
  ...rangeOf(0xad, 0xb3),
  0x90,
  0xa3,
  0xa5,
]);

/** The virtual key of a key that is not a character, or that is on the keypad; undefined for other keys. */
export function virtualKeyOf(code: string, key: string): VirtualKey | undefined {
  if (code.startsWith('Numpad')) return keypadKeyOf(key);
  const functionKey = /^F(\d{1,2})$/.exec(key);
  const number = Number(functionKey?.[1]);
  if (number >= 1 && number <= 24) return { code: 0x6f + number, isExtended: false };
  const found = Object.hasOwn(rightHand, code) ? rightHand[code] : ownValue(named, key);
  return found === undefined ? undefined : { code: found, isExtended: extended.has(found) };
}

function keypadKeyOf(key: string): VirtualKey | undefined {
  if (/^\d$/.test(key)) return { code: keypadZero + Number(key), isExtended: false };
  const found = ownValue(keypad, key) ?? ownValue(named, key);
  if (found === undefined) return undefined;
  return { code: found, isExtended: found === keypadDivide || found === enter || key === 'NumLock' };
}

const ownValue = (table: Record<string, number>, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** The virtual key at a position, for shortcuts with characters that the device's layout does not have. */
export function virtualKeyAt(code: string): VirtualKey | undefined {
  const name = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  const character = name?.[1] ?? name?.[2];
  return character === undefined ? undefined : { code: character.charCodeAt(0), isExtended: false };
}
