/**
 * How the relay learns about traffic that bypasses it: a device with a direct connection reports its bytes on request.
 *
 * Like the ticket, these are text messages to the relay itself, separate from the frames, which the relay does not read.
 * A count is the total of this pairing in both directions, so a repeated or lost message changes nothing.
 */

/** WebSocket protocol that counting devices offer. They send no counts to a relay that does not select it. */
export const countingProtocol = 'drawbridge.relay.counting';

/** The relay's request. */
export const countRequest = 'count';

/** The device sends this when it switches to a direct connection, on request, and before it closes. */
export const formatCount = (bytes: number): string => `direct ${bytes}`;

const pattern = /^direct (0|[1-9]\d{0,15})$/;

/** Length of the longest valid count message. */
export const maxCountBytes = 'direct '.length + 16;

/** Returns undefined for any other message. */
export function parseCount(message: string): number | undefined {
  const bytes = Number(pattern.exec(message)?.[1] ?? NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
