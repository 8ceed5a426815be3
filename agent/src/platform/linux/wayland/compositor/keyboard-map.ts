/** The keyboard map that the compositor gives to every program, and which of its layouts the person uses on KDE. */
import { closeSync, readSync } from 'node:fs';
import type { KeyMap } from '../../x11/keyboard/key-map.ts';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';
import { newObject, type WaylandConnection } from '../wire/connection.ts';
import type { WireReader } from '../wire/wire-format.ts';
import { kinds, seat } from './protocol.ts';
import { parseXkbMap, readXkbMap } from '../xkb-map.ts';

/** KWin tells the layout in use; other compositors tell it only to the program with the focus. */
const layouts: BusObject = {
  service: 'org.kde.keyboard',
  path: '/Layouts',
  interface: 'org.kde.KeyboardLayouts',
};
const usualLayout = { layout: 'us', variant: '', options: [] };
const maxKeymapBytes = 1_048_576;

export interface KeyboardMap {
  current(): Promise<KeyMap>;
  hasKeyboard(): boolean;
  /** Resolves when the compositor has a keyboard. */
  appeared: Promise<void>;
  close(): void;
}

/** Without a map, for example because the device has no keyboard, the English one is assumed. */
export async function watchKeyboardMap(connection: WaylandConnection, bus: SessionBus): Promise<KeyboardMap> {
  const state = { text: '', group: 0, map: readXkbMap(usualLayout) };
  const { promise: appeared, resolve: appear } = Promise.withResolvers<void>();
  const update = (): void => {
    if (state.text !== '') state.map = parseXkbMap(state.text, state.group);
  };
  watchKeymap(connection, (text) => {
    state.text = text;
    update();
    appear();
  });
  const unsubscribe = await bus.onSignal(layouts, 'layoutChanged', (group) => {
    state.group = group as number;
    update();
  });
  const [group] = await Promise.all([
    bus.call<number>(layouts, 'getLayout').catch(() => 0),
    connection.sync().then(() => connection.sync()),
  ]);
  state.group = group;
  update();
  return {
    current: () => state.map,
    hasKeyboard: () => state.text !== '',
    appeared,
    close: unsubscribe,
  };
}

function watchKeymap(connection: WaylandConnection, onKeymap: (text: string) => void): void {
  const global = connection.globals().find(({ kind }) => kind === kinds.seat);
  if (!global) return;
  let isWatched = false;
  const object = connection.bind(global, 1, (opcode, values) => {
    if (opcode !== seat.capabilities || (values.uint() & seat.hasKeyboard) === 0 || isWatched) return;
    isWatched = true;
    connection.create(object, seat.getKeyboard, [newObject], (event, read) => {
      if (event === seat.keymap) onKeymap(keymapIn(read));
    });
  });
}

function keymapIn(values: WireReader): string {
  values.uint();
  const [fd, bytes] = [values.fd(), values.uint()];
  const text = Buffer.alloc(Math.min(bytes, maxKeymapBytes));
  readSync(fd, text, 0, text.length, 0);
  closeSync(fd);
  return text.toString('utf8').replace(/\0.*$/s, '');
}
