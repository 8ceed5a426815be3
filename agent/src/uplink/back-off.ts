/** How long to wait before the next try: anything up to a limit that doubles, so that a fleet does not come back in step. */

const first = 1_000;
/** However long a server was away, its whole fleet is back within about this long. */
const longest = 60_000;
/** After a connection that worked, the first try is spread wide, as everybody else lost it at the same moment. */
const afterLoss = 15_000;

/** Milliseconds to wait. `failures` counts tries in a row that came to nothing; `random` is between 0 and 1. */
export function backOff(failures: number, random: number): number {
  const limit = failures === 0 ? afterLoss : Math.min(longest, first * 2 ** Math.min(failures, 20));
  return Math.floor(random * limit);
}

/** Milliseconds to wait where the server may have asked for some seconds: it asks many at once, so they are spread too. */
export const nextTry = (askedSeconds: number | undefined, failures: number, random: number): number =>
  askedSeconds === undefined ? backOff(failures, random) : askedSeconds * 1_000 + backOff(0, random);
