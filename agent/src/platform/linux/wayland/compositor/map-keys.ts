/** The keys of the keyboard map that the compositor gives to every program, for desktops that take keys by their codes. */
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyDevice } from '../../layout-keyboard.ts';
import { unknownKey } from '../bus-input.ts';
import type { SessionBus } from '../dbus/session-bus.ts';
import { typeByNumber } from '../type-by-number.ts';
import type { WaylandConnection } from '../wire/connection.ts';
import { watchKeyboardMap, type KeyboardMap } from './keyboard-map.ts';

const wakeTimeoutMs = 1_000;
/** Programs hear of the keyboard when the agent does. They answer nothing that the agent could wait for. */
const programsReactMs = 100;

/** Keysyms are not used, because desktops translate them with the same map, and drop those that it lacks. */
export async function openMapKeys(
  connection: WaylandConnection,
  bus: SessionBus,
  send: KeyDevice['send'],
): Promise<KeyDevice> {
  const keyboard = await watchKeyboardMap(connection, bus);
  if (!keyboard.hasKeyboard()) await wakeKeyboard(keyboard, send);
  return toKeyDevice(keyboard, send);
}

/**
 * On a device without a keyboard, the compositor creates one when the first key is pressed, and programs do not receive keys
 * until they know it. So a key without a meaning is pressed first.
 */
async function wakeKeyboard({ appeared }: KeyboardMap, send: KeyDevice['send']): Promise<void> {
  [true, false].forEach((down) => send(unknownKey + 8, down));
  const isThere = await Promise.race([
    appeared.then(() => true),
    pause(wakeTimeoutMs, false, { ref: false }),
  ]);
  if (isThere) await pause(programsReactMs, undefined, { ref: false });
}

const toKeyDevice = ({ current: map, close }: KeyboardMap, send: KeyDevice['send']): KeyDevice => ({
  send,
  map,
  typeMissing: typeByNumber({ send, map }),
  close,
});
