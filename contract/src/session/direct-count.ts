/**
 * How the relay learns what goes past it: a device on a direct way says how many bytes went there, whenever it is asked.
 *
 * These are words to the relay itself, as the ticket is: text, beside the frames, which it does not read. They are
 * totals of this pairing in both directions, so that one that is repeated or lost changes nothing.
 */

/** Asked for by devices that count; at a relay that does not know it they say nothing. */
export const countingProtocol = 'drawbridge.relay.counting';

/** The relay's question. */
export const countRequest = 'count';

/** The device's word: when it has taken a direct way, when it is asked, and before it hangs up. */
export const formatCount = (bytes: number): string => `direct ${bytes}`;

const pattern = /^direct (0|[1-9]\d{0,15})$/;

/** Bytes of the longest word that can be one. */
export const maxCountBytes = 'direct '.length + 16;

/** Undefined for everything that is no such word. */
export function parseCount(message: string): number | undefined {
  const bytes = Number(pattern.exec(message)?.[1] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
