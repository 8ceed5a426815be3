/** The keys of a GNOME desktop. Characters that no key has are typed by their number, as GTK and IBus offer it. */
import type { KeyDevice } from '../../layout-keyboard.ts';
import { keycodes, symbolsOfCharacter } from '../../keysyms.ts';
import { findKeyStroke, stateBits, type KeyMap } from '../../x11/keyboard/key-map.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { watchKeyboardLayout } from './input-sources.ts';
import { readXkbMap } from './xkb-map.ts';

const [control, shift, space] = [
  keycodes.get('ControlLeft')!,
  keycodes.get('ShiftLeft')!,
  keycodes.get('Space')!,
];

export async function openMutterKeys(bus: SessionBus, send: KeyDevice['send']): Promise<KeyDevice> {
  let map: Promise<KeyMap>;
  const stop = await watchKeyboardLayout(bus, (layout) => void (map = readXkbMap(layout)));
  return {
    send,
    map: () => map,
    async typeMissing(character, modifiers, press) {
      const current = await map;
      const number = character.codePointAt(0)!.toString(16);
      const strokes = [...`u${number}`].map((each) =>
        findKeyStroke(current, symbolsOfCharacter(each), modifiers, ''),
      );
      const isShortcut = (modifiers & (stateBits.control | stateBits.alt)) !== 0;
      if (isShortcut || strokes.includes(undefined)) return;
      const [start, ...digits] = strokes.map((stroke) => stroke!);
      const added = [control, shift];
      added.forEach((each) => send(each, true));
      [true, false].forEach((down) => send(start!.keycode, down));
      added.toReversed().forEach((each) => send(each, false));
      digits.forEach(press);
      press({ keycode: space, shift: false, level3: false });
    },
    close: stop,
  };
}
