/** CapsLock and NumLock of a GNOME desktop, which the person at the device may have turned on. */
import { stateBits } from '../../x11/keyboard/key-map.ts';
import type { BusObject, SessionBus } from '../dbus/session-bus.ts';
import { numLockBit } from '../xkb-map.ts';

const bits = { CapsLockState: stateBits.lock, NumLockState: numLockBit } as const;

export interface Locks {
  /** The modifier bits of the locks that are on. */
  current(): number;
  close(): void;
}

/** `session`: a session for remote input. A desktop that does not report its locks is taken as one without. */
export async function watchLocks(bus: SessionBus, session: BusObject): Promise<Locks> {
  let current = 0;
  const read = async (): Promise<void> => {
    const states = await Promise.all(
      Object.entries(bits).map(async ([name, bit]) =>
        (await bus.property<unknown>(session, name).catch(() => false)) === true ? bit : 0,
      ),
    );
    current = states.reduce((all, bit) => all | bit, 0);
  };
  const properties = { ...session, interface: 'org.freedesktop.DBus.Properties' };
  const close = await bus.onSignal(properties, 'PropertiesChanged', () => void read());
  await read();
  return { current: () => current, close };
}
