/** The keys of an X11 display. Characters that no key has are assigned to spare keys. */
import type { KeyDevice } from '../../layout-keyboard.ts';
import type { X11Connection } from '../connection.ts';
import { readKeyMap, stateBits, unusedKeycodes, type KeyMap } from './key-map.ts';
import { createSpareKeys } from './spare-keys.ts';

const ofKeyboard = 1;

export async function openX11Keys(connection: X11Connection, send: KeyDevice['send']): Promise<KeyDevice> {
  const spareKeys = createSpareKeys(connection);
  const read = async (): Promise<KeyMap> => withoutSpare(await readKeyMap(connection), spareKeys.has);
  let map = await read();
  let isStale = false;
  const stopListening = connection.onEvent((event) => {
    if (event.name === 'MappingNotify' && event['request'] === ofKeyboard) isStale = true;
  });
  return {
    send,
    async map() {
      if (isStale) {
        isStale = false;
        map = await read();
      }
      return map;
    },
    async typeMissing(character, modifiers, press) {
      const keycode = await spareKeys.bind(character, unusedKeycodes(map));
      if (keycode === undefined) return;
      press({ keycode, shift: (modifiers & stateBits.shift) !== 0, level3: false });
    },
    close() {
      stopListening();
      spareKeys.close();
    },
  };
}

/** Ignores spare keys, because their symbol may have changed again since the map was read. */
const withoutSpare = (map: KeyMap, isSpare: (keycode: number) => boolean): KeyMap => ({
  ...map,
  rows: map.rows.map((row, index) => (isSpare(map.first + index) ? row.map(() => 0) : row)),
});
