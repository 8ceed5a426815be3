/** Repeatable randomness: the same seed gives the same sequence on every machine. */

export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** True with a probability of one in this many. */
  oneIn(count: number): boolean;
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number;
  pick<T>(things: readonly T[]): T;
}

/** Mulberry32: small, fast, and good enough to choose what to send. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number): number => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    oneIn: (count) => fraction() * count < 1,
    pick: (things) => things[whole(0, things.length - 1)]!,
  };
}
