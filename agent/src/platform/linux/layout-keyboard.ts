/** Presses keys so that the device receives what the operator meant, whatever the keyboard layouts of both sides are. */
import { findKeyStroke, stateBits, type KeyMap, type KeyStroke } from './x11/keyboard/key-map.ts';
import { altGrCodes, isCharacter, isDeadKey, keyForText } from '../key-names.ts';
import { keycodes, symbolsOfCharacter, symbolsOfKey } from './keysyms.ts';

/** What the keys are pressed on. */
export interface KeyDevice {
  send(keycode: number, down: boolean): void;
  /** Returns the current keyboard map. */
  map(): Promise<KeyMap>;
  /** Types a character that no key has. `press` presses a key with exactly the modifiers that it needs. */
  typeMissing(character: string, modifiers: number, press: (stroke: KeyStroke) => void): Promise<void>;
  /** Restores what was changed. */
  close(): void;
}

export interface LayoutKeyboard {
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

interface State {
  device: KeyDevice;
  /** The pressed keycodes by KeyboardEvent.code. */
  held: Map<string, number>;
  hasAltGr: boolean;
}

export function createLayoutKeyboard(device: KeyDevice): LayoutKeyboard {
  const state: State = { device, held: new Map(), hasAltGr: false };
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
      releaseAll(state);
      device.close();
    },
  };
}

const pressKey = (state: State, code: string, key: string, modifiers: number): Promise<void> =>
  (isCharacter(key) ? pressCharacter : pressNamedKey)(state, code, key, modifiers);

async function pressCharacter(state: State, code: string, key: string, locked: number): Promise<void> {
  const map = await state.device.map();
  const isShortcut = !state.hasAltGr && (locked & (stateBits.control | stateBits.alt)) !== 0;
  // CapsLock does not change a shortcut, and Shift would.
  const modifiers = isShortcut ? locked & ~stateBits.lock : locked;
  const keypad = findKeyStroke(map, symbolsOfKey(code, key), modifiers, code);
  // A keypad key is used only without other modifiers: with Shift it would move the cursor.
  const stroke =
    keypad && fits(state, keypad, modifiers)
      ? keypad
      : findKeyStroke(map, symbolsOfCharacter(key), modifiers, code);
  const keycode = keycodes.get(code);
  if (stroke && fits(state, stroke, modifiers) && code !== '') return hold(state, code, stroke.keycode);
  if (stroke) return press(state, map, stroke, modifiers);
  if (isShortcut && keycode !== undefined) return hold(state, code, keycode);
  return state.device.typeMissing(key, modifiers, (each) => press(state, map, each, modifiers));
}

async function pressNamedKey(state: State, code: string, key: string, modifiers: number): Promise<void> {
  const map = await state.device.map();
  const strokes = symbolsOfKey(code, key).flatMap(
    (symbol) => findKeyStroke(map, [symbol], modifiers, code) ?? [],
  );
  // Modifiers are as the operator holds them, but NumLock is that of the device.
  const stroke = strokes.find((each) => !isPad(each) || fits(state, each, modifiers)) ?? strokes[0];
  const keycode = stroke?.keycode ?? keycodes.get(code);
  if (keycode === undefined) return;
  if (code !== '') return hold(state, code, keycode);
  press(state, map, { keycode, shift: false, level3: false }, modifiers);
}

/** Presses and releases a key with exactly the modifiers that the stroke needs. */
function press(state: State, map: KeyMap, { keycode, shift, level3 }: KeyStroke, modifiers: number): void {
  const { device, hasAltGr } = state;
  const { send } = device;
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

function hold({ device, held }: State, code: string, keycode: number): void {
  device.send(keycode, true);
  held.set(code, keycode);
}

function keyUp(state: State, code: string, key: string): void {
  if (key === 'AltGraph') state.hasAltGr = false;
  const keycode = state.held.get(code);
  if (keycode !== undefined) state.device.send(keycode, false);
  state.held.delete(code);
}

function releaseAll(state: State): void {
  for (const keycode of state.held.values()) state.device.send(keycode, false);
  state.held.clear();
  state.hasAltGr = false;
}

const heldOf = ({ held }: State, codes: readonly string[]): number[] =>
  codes.flatMap((code) => held.get(code) ?? []);

const padKeys = new Set([...keycodes].flatMap(([code, key]) => (/^Numpad\d/.test(code) ? [key] : [])));
const isPad = ({ keycode }: KeyStroke): boolean => padKeys.has(keycode);
