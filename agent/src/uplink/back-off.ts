/** How long to wait before the next retry: a random time up to a limit that doubles, so that a fleet does not reconnect at once. */

const initialMs = 1_000;
/** However long a server was down, its whole fleet reconnects within about this time. */
const maxMs = 60_000;
/** After a working connection the first retry is spread over this time, because the other agents lost it at the same moment. */
const afterLossMs = 15_000;

/** Returns milliseconds. `failures` counts consecutive failed attempts; `random` is between 0 and 1. */
export function backOff(failures: number, random: number): number {
  const limit = failures === 0 ? afterLossMs : Math.min(maxMs, initialMs * 2 ** Math.min(failures, 20));
  return Math.floor(random * limit);
}

/** Returns milliseconds. If the server asked for a delay, a random time is added, because it asks many agents at once. */
export const nextTry = (askedSeconds: number | undefined, failures: number, random: number): number =>
  askedSeconds === undefined ? backOff(failures, random) : askedSeconds * 1_000 + backOff(0, random);
