/** Spare keys: assigns unused keycodes to characters that no key has, and restores them at the end. */
import { setTimeout as pause } from 'node:timers/promises';
import type { X11Connection } from '../connection.ts';
import { symbolsOfCharacter } from '../../keysyms.ts';

export interface SpareKeys {
  /** Returns a key that gives this character under all modifiers; undefined if no key is free. */
  bind(character: string, free: readonly number[]): Promise<number | undefined>;
  has(keycode: number): boolean;
  close(): void;
}

/** Programs look up a key's symbol when they process the event; until then the key must not be reassigned. */
const lookUpMs = 60;
const maxSpareKeys = 16;

export function createSpareKeys({ client }: X11Connection): SpareKeys {
  /** Least recently used first. */
  const bound = new Map<string, { keycode: number; usedAt: number }>();
  const setSymbol = (keycode: number, symbol: number): void =>
    client.ChangeKeyboardMapping(keycode, 4, [symbol, symbol, symbol, symbol]);
  const isBound = (keycode: number): boolean => [...bound.values()].some((each) => each.keycode === keycode);

  const reclaimOldest = async (): Promise<number | undefined> => {
    const [oldest] = bound;
    if (!oldest) return undefined;
    const [character, { keycode, usedAt }] = oldest;
    await pause(Math.max(0, usedAt + lookUpMs - performance.now()));
    bound.delete(character);
    return keycode;
  };

  return {
    async bind(character, free) {
      const known = bound.get(character);
      const unused = bound.size < maxSpareKeys ? free.findLast((each) => !isBound(each)) : undefined;
      const keycode = known?.keycode ?? unused ?? (await reclaimOldest());
      if (keycode === undefined) return undefined;
      if (!known) setSymbol(keycode, symbolsOfCharacter(character)[0]!);
      bound.delete(character);
      bound.set(character, { keycode, usedAt: performance.now() });
      return keycode;
    },
    has: isBound,
    close() {
      for (const { keycode } of bound.values()) setSymbol(keycode, 0);
      bound.clear();
    },
  };
}
