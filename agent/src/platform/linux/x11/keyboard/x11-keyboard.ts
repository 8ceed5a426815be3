/** Presses keys so that the device receives what the operator meant, whatever the keyboard layouts of both sides are. */
import type { X11Connection } from '../connection.ts';
import {
  findKeyStroke,
  unusedKeycodes,
  readKeyMap,
  stateBits,
  type KeyMap,
  type KeyStroke,
} from './key-map.ts';
import { altGrCodes, isCharacter, isDeadKey, keyForText } from '../../../key-names.ts';
import { keycodes, symbolsOfCharacter, symbolsOfKey } from '../../keysyms.ts';
import { createSpareKeys, type SpareKeys } from './spare-keys.ts';

export interface X11Keyboard {
  /** `modifiers`: the modifiers, locks and group of the display at this moment. */
  down(code: string, key: string, modifiers: number): Promise<void>;
  up(code: string, key: string): void;
  /** Presses and releases the key of a character. */
  tap(character: string, modifiers: number): Promise<void>;
  /** Releases all pressed keys. */
  releaseAll(): void;
  /** Releases all pressed keys and restores the keyboard map. */
  close(): void;
}

const shiftCodes = ['ShiftLeft', 'ShiftRight'];
const shiftKey = keycodes.get('ShiftLeft')!;
const ofKeyboard = 1;

interface State {
  connection: X11Connection;
  send(keycode: number, down: boolean): void;
  spareKeys: SpareKeys;
  /** The pressed keycodes by KeyboardEvent.code. */
  held: Map<string, number>;
  map: KeyMap;
  /** The display has changed its keyboard map. */
  isStale: boolean;
  hasAltGr: boolean;
}

export async function openX11Keyboard(
  connection: X11Connection,
  send: (keycode: number, down: boolean) => void,
): Promise<X11Keyboard> {
  const spareKeys = createSpareKeys(connection);
  const map = await readKeyMap(connection);
  const state: State = { connection, send, spareKeys, held: new Map(), map, isStale: false, hasAltGr: false };
  const stopListening = connection.onEvent((event) => {
    if (event.name === 'MappingNotify' && event['request'] === ofKeyboard) state.isStale = true;
  });
  return {
    async down(code, key, modifiers) {
      if (key === 'AltGraph') state.hasAltGr = true;
      if (isDeadKey(key) || state.held.has(code)) return;
      await pressKey(state, code, key, modifiers);
    },
    up: (code, key) => keyUp(state, code, key),
    async tap(character, modifiers) {
      const key = keyForText(character);
      if (key !== undefined) await pressKey(state, '', key, modifiers);
    },
    releaseAll: () => releaseAll(state),
    close() {
      stopListening();
      releaseAll(state);
      spareKeys.close();
    },
  };
}

const pressKey = (state: State, code: string, key: string, modifiers: number): Promise<void> =>
  (isCharacter(key) ? pressCharacter : pressNamedKey)(state, code, key, modifiers);

async function pressCharacter(state: State, code: string, key: string, modifiers: number): Promise<void> {
  const map = await currentMap(state);
  const keypad = findKeyStroke(map, symbolsOfKey(code, key), modifiers, code);
  // A keypad key is used only without other modifiers: with Shift it would move the cursor.
  const stroke =
    keypad && fits(state, keypad, modifiers)
      ? keypad
      : findKeyStroke(map, symbolsOfCharacter(key), modifiers, code);
  const isShortcut = !state.hasAltGr && (modifiers & (stateBits.control | stateBits.alt)) !== 0;
  const keycode = keycodes.get(code);
  if (stroke && fits(state, stroke, modifiers) && code !== '') return hold(state, code, stroke.keycode);
  if (stroke) return press(state, stroke, modifiers);
  if (isShortcut && keycode !== undefined) return hold(state, code, keycode);
  return pressSpare(state, key, modifiers);
}

async function pressNamedKey(state: State, code: string, key: string, modifiers: number): Promise<void> {
  const map = await currentMap(state);
  const strokes = symbolsOfKey(code, key).flatMap(
    (symbol) => findKeyStroke(map, [symbol], modifiers, code) ?? [],
  );
  // Modifiers are as the operator holds them, but NumLock is that of the device.
  const stroke = strokes.find((each) => !isPad(each) || fits(state, each, modifiers)) ?? strokes[0];
  const keycode = stroke?.keycode ?? keycodes.get(code);
  if (keycode === undefined) return;
  if (code !== '') return hold(state, code, keycode);
  press(state, { keycode, shift: false, level3: false }, modifiers);
}

/** Types a character that no key has. */
async function pressSpare(state: State, character: string, modifiers: number): Promise<void> {
  const keycode = await state.spareKeys.bind(character, unusedKeycodes(state.map));
  if (keycode === undefined) return;
  press(state, { keycode, shift: (modifiers & stateBits.shift) !== 0, level3: false }, modifiers);
}

/** Presses and releases a key with exactly the modifiers that the stroke needs. */
function press(state: State, { keycode, shift, level3 }: KeyStroke, modifiers: number): void {
  const { send, map, hasAltGr } = state;
  const isShifted = (modifiers & stateBits.shift) !== 0;
  const released = [
    ...(isShifted && !shift ? heldOf(state, shiftCodes) : []),
    ...(hasAltGr ? heldOf(state, altGrCodes) : []),
  ];
  const added = [
    ...(shift && !isShifted ? [shiftKey] : []),
    ...(level3 && (modifiers & map.level3) === 0 ? [map.level3Key!] : []),
  ];
  released.forEach((each) => send(each, false));
  added.forEach((each) => send(each, true));
  send(keycode, true);
  send(keycode, false);
  added.toReversed().forEach((each) => send(each, false));
  released.forEach((each) => send(each, true));
}

/** Whether a stroke needs exactly the modifiers that are held. */
const fits = ({ hasAltGr }: State, { shift, level3 }: KeyStroke, modifiers: number): boolean =>
  !hasAltGr && !level3 && shift === ((modifiers & stateBits.shift) !== 0);

function hold({ send, held }: State, code: string, keycode: number): void {
  send(keycode, true);
  held.set(code, keycode);
}

function keyUp(state: State, code: string, key: string): void {
  if (key === 'AltGraph') state.hasAltGr = false;
  const keycode = state.held.get(code);
  if (keycode !== undefined) state.send(keycode, false);
  state.held.delete(code);
}

function releaseAll(state: State): void {
  for (const keycode of state.held.values()) state.send(keycode, false);
  state.held.clear();
  state.hasAltGr = false;
}

const heldOf = ({ held }: State, codes: readonly string[]): number[] =>
  codes.flatMap((code) => held.get(code) ?? []);

async function currentMap(state: State): Promise<KeyMap> {
  if (state.isStale) {
    state.isStale = false;
    state.map = withoutSpare(await readKeyMap(state.connection), state.spareKeys.has);
  }
  return state.map;
}

const padKeys = new Set([...keycodes].flatMap(([code, key]) => (/^Numpad\d/.test(code) ? [key] : [])));
const isPad = ({ keycode }: KeyStroke): boolean => padKeys.has(keycode);

/** Ignores spare keys, because their symbol may have changed again since the map was read. */
const withoutSpare = (map: KeyMap, isSpare: (keycode: number) => boolean): KeyMap => ({
  ...map,
  rows: map.rows.map((row, index) => (isSpare(map.first + index) ? row.map(() => 0) : row)),
});
