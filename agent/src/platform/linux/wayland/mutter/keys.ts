/** The keys of a GNOME desktop. Characters that no key has are typed by their number. */
import type { KeyDevice } from '../../layout-keyboard.ts';
import type { KeyMap } from '../../x11/keyboard/key-map.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { typeByNumber } from '../type-by-number.ts';
import { watchKeyboardLayout } from './input-sources.ts';
import { readXkbMap } from '../xkb-map.ts';

export async function openMutterKeys(bus: SessionBus, send: KeyDevice['send']): Promise<KeyDevice> {
  let current: Promise<KeyMap>;
  const stop = await watchKeyboardLayout(bus, (layout) => void (current = readXkbMap(layout)));
  const map = (): Promise<KeyMap> => current;
  return { send, map, typeMissing: typeByNumber({ send, map }), close: stop };
}
