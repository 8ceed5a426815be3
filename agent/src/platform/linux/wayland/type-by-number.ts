/** Types a character that no key has by its number, as GTK and IBus offer it. */
import { keycodes, symbolsOfCharacter } from '../keysyms.ts';
import type { KeyDevice } from '../layout-keyboard.ts';
import { findKeyStroke, stateBits } from '../x11/keyboard/key-map.ts';

const [control, shift, space, capsLock] = [
  keycodes.get('ControlLeft')!,
  keycodes.get('ShiftLeft')!,
  keycodes.get('Space')!,
  keycodes.get('CapsLock')!,
];

export const typeByNumber =
  ({ send, map }: Pick<KeyDevice, 'send' | 'map'>): KeyDevice['typeMissing'] =>
  async (character, modifiers, press) => {
    const current = await map();
    const number = character.codePointAt(0)!.toString(16);
    const strokes = [...`u${number}`].map((each) =>
      findKeyStroke(current, symbolsOfCharacter(each), modifiers & ~stateBits.lock, ''),
    );
    const isShortcut = (modifiers & (stateBits.control | stateBits.alt)) !== 0;
    if (isShortcut || strokes.includes(undefined)) return;
    const [start, ...digits] = strokes.map((stroke) => stroke!);
    const tap = (keycode: number): void => [true, false].forEach((down) => send(keycode, down));
    // GTK takes only a capital U, which CapsLock makes a small one.
    const isLocked = (modifiers & stateBits.lock) !== 0;
    if (isLocked) tap(capsLock);
    const added = [control, shift];
    added.forEach((each) => send(each, true));
    tap(start!.keycode);
    added.toReversed().forEach((each) => send(each, false));
    digits.forEach(press);
    press({ keycode: space, shift: false, level3: false });
    if (isLocked) tap(capsLock);
  };
