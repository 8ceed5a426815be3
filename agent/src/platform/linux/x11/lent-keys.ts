/** Keys without a symbol, lent to characters that no key has; what was changed is put back. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { symbolsOfCharacter } from '../keysyms.ts';

export interface Lender {
  /** A key that gives this character, whatever is held; undefined when no key is free. */
  lend(character: string, free: readonly number[]): Promise<number | undefined>;
  has(keycode: number): boolean;
  close(): void;
}

/** A program looks up what a key means when it gets to it: until then the key must not be lent to another character. */
const lookUpMs = 60;
const mostLent = 16;

export function createLender({ client }: Connection): Lender {
  /** The one that was not used for the longest time first. */
  const lent = new Map<string, { keycode: number; usedAt: number }>();
  const setSymbol = (keycode: number, symbol: number): void =>
    client.ChangeKeyboardMapping(keycode, 4, [symbol, symbol, symbol, symbol]);
  const isLent = (keycode: number): boolean => [...lent.values()].some((each) => each.keycode === keycode);

  const takeBack = async (): Promise<number | undefined> => {
    const [oldest] = lent;
    if (!oldest) return undefined;
    const [character, { keycode, usedAt }] = oldest;
    await pause(Math.max(0, usedAt + lookUpMs - performance.now()));
    lent.delete(character);
    return keycode;
  };

  return {
    async lend(character, free) {
      const known = lent.get(character);
      const unused = lent.size < mostLent ? free.findLast((each) => !isLent(each)) : undefined;
      const keycode = known?.keycode ?? unused ?? (await takeBack());
      if (keycode === undefined) return undefined;
      if (!known) setSymbol(keycode, symbolsOfCharacter(character)[0]!);
      lent.delete(character);
      lent.set(character, { keycode, usedAt: performance.now() });
      return keycode;
    },
    has: isLent,
    close() {
      for (const { keycode } of lent.values()) setSymbol(keycode, 0);
      lent.clear();
    },
  };
}
