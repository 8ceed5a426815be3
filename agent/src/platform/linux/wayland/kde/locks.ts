/** CapsLock and NumLock of a KDE desktop, which the person at the device may have turned on. */
import { stateBits } from '../../x11/keyboard/key-map.ts';
import type { CompositorContext } from '../compositor/context.ts';
import { numLockBit } from '../xkb-map.ts';
import { kdeKinds, keyState } from './protocol.ts';

const bits: Readonly<Record<number, number>> = {
  [keyState.capsLock]: stateBits.lock,
  [keyState.numLock]: numLockBit,
};

/** Returns the modifier bits of the locks that are on. */
export async function watchKdeLocks({ connection }: CompositorContext): Promise<() => number> {
  let current = 0;
  const global = connection.globals().find(({ kind }) => kind === kdeKinds.keyState);
  if (!global) return () => 0;
  const object = connection.bind(global, keyState.version, (_, values) => {
    const [key, state] = [values.uint(), values.uint()];
    const bit = bits[key] ?? 0;
    current = state === keyState.locked ? current | bit : current & ~bit;
  });
  connection.request(object, keyState.fetch);
  await connection.sync();
  return () => current;
}
