/** The keyboard map of a display: which key gives which symbol under which modifiers, and which keys are unused. */
import { characterOf, keycodes } from '../../keysyms.ts';
import type { X11Connection } from '../connection.ts';

/** The modifier bits that decide which symbol a key gives. */
export const stateBits = { shift: 1, lock: 2, control: 4, alt: 8 } as const;
const groupShift = 13;

/** Each key has a row of symbols: two for the first group, two for the second, then two with AltGr. */
export interface KeyMap {
  first: number;
  rows: readonly (readonly number[])[];
  /** The modifier bit of NumLock; 0 if there is none. */
  numLock: number;
  /** The modifier bit of AltGr. */
  level3: number;
  /** The keycode of AltGr; undefined if there is none. */
  level3Key: number | undefined;
}

/** A key and the modifiers that must be held with it. */
export interface KeyStroke {
  keycode: number;
  shift: boolean;
  level3: boolean;
}

const level3Symbols = [0xfe03, 0xff7e];
const numLockSymbol = 0xff7f;
const altGrColumn = 4;

export async function readKeyMap({ client, call }: X11Connection): Promise<KeyMap> {
  const { min_keycode: first, max_keycode: last } = client.display;
  const rows = await call<number[][]>((done) => client.GetKeyboardMapping(first, last - first + 1, done));
  const modifiers = await call<number[][]>((done) => client.GetModifierMapping(done));
  const keyOf = (symbols: readonly number[]): number | undefined => {
    const index = rows.findIndex((row) => symbols.includes(row[0]!));
    return index < 0 ? undefined : first + index;
  };
  const bitOf = (keycode: number | undefined): number => {
    const index = keycode === undefined ? -1 : modifiers.findIndex((keys) => keys.includes(keycode));
    return index < 0 ? 0 : 1 << index;
  };
  const level3Key = keyOf(level3Symbols);
  const level3 = bitOf(level3Key);
  return {
    first,
    rows,
    numLock: bitOf(keyOf([numLockSymbol])),
    level3,
    level3Key: level3 === 0 ? undefined : level3Key,
  };
}

/** Returns a key that gives one of the symbols in this modifier state, preferably the one at `code`. */
export function findKeyStroke(
  map: KeyMap,
  symbols: readonly number[],
  state: number,
  code: string,
): KeyStroke | undefined {
  const preferred = keycodes.get(code);
  const levels = [0, 1, ...(map.level3Key === undefined ? [] : [2, 3])];
  let found: KeyStroke | undefined;
  for (const level of levels)
    for (const [index, row] of map.rows.entries()) {
      const keycode = map.first + index;
      if (!symbols.includes(symbolAt(row, level, groupOf(state)))) continue;
      if (keycode === preferred) return keyStrokeAt(map, { keycode, row, level, state });
      found ??= keyStrokeAt(map, { keycode, row, level, state });
    }
  return found;
}

const groupOf = (state: number): number => (state >> groupShift) & 3;

/** Levels: plain, Shift, AltGr, both. A key without a second group uses its first group in all. */
function symbolAt(row: readonly number[], level: number, group: number): number {
  const second = group === 1 && (row[2] ?? 0) !== 0;
  const start = level < 2 ? (second ? 2 : 0) : second ? altGrColumn + 2 : altGrColumn;
  return row[start + (level % 2)] ?? 0;
}

/** CapsLock and NumLock invert Shift, so Shift is held exactly if the lock does not already have its effect. */
function keyStrokeAt(
  map: KeyMap,
  { keycode, row, level, state }: { keycode: number; row: readonly number[]; level: number; state: number },
): KeyStroke {
  const locked = level < 2 && isShiftedByLock(map, row, state) ? 1 : 0;
  return { keycode, shift: level % 2 !== locked, level3: level > 1 };
}

function isShiftedByLock(map: KeyMap, row: readonly number[], state: number): boolean {
  const [plain = 0, shifted = 0] = row;
  if (isKeypad(plain) && isKeypad(shifted)) return plain !== shifted && (state & map.numLock) !== 0;
  return (state & stateBits.lock) !== 0 && isLetterPair(plain, shifted);
}

const isKeypad = (symbol: number): boolean => symbol >= 0xff80 && symbol <= 0xffbd;

function isLetterPair(plain: number, shifted: number): boolean {
  const [small, capital] = [characterOf(plain), characterOf(shifted)];
  return small !== undefined && small !== capital && small.toUpperCase() === capital;
}

/** Returns the symbol that a key gives in this modifier state. */
export function symbolOf(map: KeyMap, keycode: number, state: number): number {
  const row = map.rows[keycode - map.first] ?? [];
  const shifted = ((state & stateBits.shift) !== 0) !== isShiftedByLock(map, row, state);
  const level3 = map.level3 !== 0 && (state & map.level3) !== 0;
  const level = (level3 ? 2 : 0) + (shifted ? 1 : 0);
  return symbolAt(row, level, groupOf(state)) || symbolAt(row, 0, groupOf(state));
}

/** Keycodes without any symbol, which can be assigned to characters that no key has. */
export const unusedKeycodes = (map: KeyMap): number[] =>
  map.rows.flatMap((row, index) => (row.every((symbol) => symbol === 0) ? [map.first + index] : []));
