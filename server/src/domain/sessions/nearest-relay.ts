/** Chooses the relay of a session by the measured round trips of its two sides. */
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';

/** The name of the server's own relay. */
export const ownRelay = '';

/**
 * The relay with the smallest sum of both round trips. One that a side has not reached does not count. Without a relay that
 * both have reached, and for equal sums, it is the server's own.
 */
export function nearestRelay(
  names: readonly string[],
  operator: readonly RoundTrip[],
  device: readonly RoundTrip[],
): string {
  const sumOf = (name: string): number => msOf(operator, name) + msOf(device, name);
  let best = { name: ownRelay, sum: sumOf(ownRelay) };
  for (const name of names) {
    const sum = sumOf(name);
    if (sum < best.sum) best = { name, sum };
  }
  return best.name;
}

const msOf = (trips: readonly RoundTrip[], name: string): number =>
  trips.find((trip) => trip.name === name)?.ms ?? Infinity;
