/** Pressing keys so that what the operator meant arrives, whatever the layouts of both sides are. */
import type { X11Connection } from './connection.ts';
import {
  findKeyStroke,
  unusedKeycodes,
  readKeyMap,
  stateBits,
  type KeyMap,
  type KeyStroke,
} from './key-map.ts';
import {
  altGrCodes,
  isCharacter,
  isDeadKey,
  keyForText,
  keycodes,
  symbolsOfCharacter,
  symbolsOfKey,
} from '../keysyms.ts';
import { createSpareKeys } from './spare-keys.ts';

export interface X11Keyboard {
  /** `state`: the modifiers, locks and group of the display at this moment. */
  down(code: string, key: string, state: number): Promise<void>;
  up(code: string, key: string): void;
  /** A character, pressed and let go. */
  tap(character: string, state: number): Promise<void>;
  /** What is pressed. */
  releaseAll(): void;
  /** Lets go what is pressed and puts back what was changed. */
  close(): void;
}

const shiftCodes = ['ShiftLeft', 'ShiftRight'];
const shiftKey = keycodes.get('ShiftLeft')!;
const ofKeyboard = 1;

export async function openX11Keyboard(
  connection: X11Connection,
  send: (keycode: number, down: boolean) => void,
): Promise<X11Keyboard> {
  const spareKeys = createSpareKeys(connection);
  const held = new Map<string, number>();
  let [map, isStale, hasAltGr] = [await readKeyMap(connection), false, false];
  const stopListening = connection.onEvent((event) => {
    if (event.name === 'MappingNotify' && event['request'] === ofKeyboard) isStale = true;
  });
  const currentMap = async (): Promise<KeyMap> => {
    if (isStale) {
      isStale = false;
      map = withoutSpare(await readKeyMap(connection), spareKeys.has);
    }
    return map;
  };
  const heldOf = (codes: readonly string[]): number[] => codes.flatMap((code) => held.get(code) ?? []);

  /** Presses and lets go, with exactly the modifiers that the stroke needs. */
  const press = ({ keycode, shift, level3 }: KeyStroke, state: number): void => {
    const isShifted = (state & stateBits.shift) !== 0;
    const away = [
      ...(isShifted && !shift ? heldOf(shiftCodes) : []),
      ...(hasAltGr ? heldOf(altGrCodes) : []),
    ];
    const along = [
      ...(shift && !isShifted ? [shiftKey] : []),
      ...(level3 && (state & map.level3) === 0 ? [map.level3Key!] : []),
    ];
    away.forEach((each) => send(each, false));
    along.forEach((each) => send(each, true));
    send(keycode, true);
    send(keycode, false);
    along.toReversed().forEach((each) => send(each, false));
    away.forEach((each) => send(each, true));
  };
  const pressSpare = async (character: string, state: number): Promise<void> => {
    const keycode = await spareKeys.bind(character, unusedKeycodes(map));
    if (keycode === undefined) return;
    press({ keycode, shift: (state & stateBits.shift) !== 0, level3: false }, state);
  };
  const hold = (code: string, keycode: number): void => {
    send(keycode, true);
    held.set(code, keycode);
  };
  const releaseAll = (): void => {
    for (const keycode of held.values()) send(keycode, false);
    held.clear();
    hasAltGr = false;
  };
  const fits = ({ shift, level3 }: KeyStroke, state: number): boolean =>
    !hasAltGr && !level3 && shift === ((state & stateBits.shift) !== 0);

  const character = async (code: string, key: string, state: number): Promise<void> => {
    const now = await currentMap();
    const pad = findKeyStroke(now, symbolsOfKey(code, key), state, code);
    // A key of the block of digits is taken as it is or not at all: with Shift it is one that moves.
    const stroke = pad && fits(pad, state) ? pad : findKeyStroke(now, symbolsOfCharacter(key), state, code);
    const isShortcut = !hasAltGr && (state & (stateBits.control | stateBits.alt)) !== 0;
    const place = keycodes.get(code);
    if (stroke && fits(stroke, state) && code !== '') return hold(code, stroke.keycode);
    if (stroke) return press(stroke, state);
    if (isShortcut && place !== undefined) return hold(code, place);
    return pressSpare(key, state);
  };
  const namedKey = async (code: string, key: string, state: number): Promise<void> => {
    const now = await currentMap();
    const strokes = symbolsOfKey(code, key).flatMap(
      (symbol) => findKeyStroke(now, [symbol], state, code) ?? [],
    );
    // Shift and the others are as the operator holds them, but the lock of the block of digits is the device's.
    const stroke = strokes.find((each) => !isPad(each) || fits(each, state)) ?? strokes[0];
    const keycode = stroke?.keycode ?? keycodes.get(code);
    if (keycode === undefined) return;
    if (code !== '') return hold(code, keycode);
    press({ keycode, shift: false, level3: false }, state);
  };

  return {
    async down(code, key, state) {
      if (key === 'AltGraph') hasAltGr = true;
      if (isDeadKey(key) || held.has(code)) return;
      await (isCharacter(key) ? character : namedKey)(code, key, state);
    },
    up(code, key) {
      if (key === 'AltGraph') hasAltGr = false;
      const keycode = held.get(code);
      if (keycode !== undefined) send(keycode, false);
      held.delete(code);
    },
    async tap(given, state) {
      const key = keyForText(given);
      if (key !== undefined) await (isCharacter(key) ? character : namedKey)('', key, state);
    },
    releaseAll,
    close() {
      stopListening();
      releaseAll();
      spareKeys.close();
    },
  };
}

const padKeys = new Set([...keycodes].flatMap(([code, key]) => (/^Numpad\d/.test(code) ? [key] : [])));
const isPad = ({ keycode }: KeyStroke): boolean => padKeys.has(keycode);

/** A lent key gives what it was last lent for, which the map of a moment ago does not know. */
const withoutSpare = (map: KeyMap, isSpare: (keycode: number) => boolean): KeyMap => ({
  ...map,
  rows: map.rows.map((row, index) => (isSpare(map.first + index) ? row.map(() => 0) : row)),
});
