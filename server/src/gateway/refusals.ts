/** Sockets that were hung up on for what they said: a network they come from too often is turned away before it is heard. */
import { networkOf } from '../domain/networks.ts';
import { createRateLimiter, type RateLimit } from '../rate-limiter.ts';
import { addBounded } from '../guess-limiter.ts';

export interface Refusals {
  /** One more from there. */
  count(address: string): void;
  /** A device or client that is known was let in from there: those around it cannot close the way back to it. */
  admitted(address: string): void;
  /** Whether no socket from there is heard now. */
  isClosedTo(address: string): boolean;
}

/** No honest program is ever refused for what it says, so those behind one address share no budget they would spend. */
const fewRefusals: RateLimit = { perSecond: 2, burst: 200 };

export function createRefusals(pace: RateLimit = fewRefusals): Refusals {
  const rate = createRateLimiter(pace);
  const homes = new Set<string>();
  return {
    count: (address) => void rate.allow(networkOf(address)),
    admitted: (address) => addBounded(homes, networkOf(address)),
    isClosedTo: (address) => !homes.has(networkOf(address)) && !rate.wouldAllow(networkOf(address)),
  };
}
