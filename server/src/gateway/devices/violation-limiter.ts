/** Sockets that were hung up on for what they said: a network they come from too often is turned away before it is heard. */
import { networkOf } from '../../domain/networks.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';
import { addBounded } from '../../edges/guess-limiter.ts';

export interface ViolationLimiter {
  /** One more from there. */
  record(address: string): void;
  /** A device or client that is known was let in from there: those around it cannot close the way back to it. */
  exempt(address: string): void;
  /** Whether no socket from there is heard now. */
  isBlocked(address: string): boolean;
}

/** No honest program is ever refused for what it says, so those behind one address share no budget they would spend. */
const defaultViolationRate: RateLimit = { perSecond: 2, burst: 200 };

export function createViolationLimiter(pace: RateLimit = defaultViolationRate): ViolationLimiter {
  const rate = createRateLimiter(pace);
  const exemptNetworks = new Set<string>();
  return {
    record: (address) => void rate.allow(networkOf(address)),
    exempt: (address) => addBounded(exemptNetworks, networkOf(address)),
    isBlocked: (address) => !exemptNetworks.has(networkOf(address)) && !rate.wouldAllow(networkOf(address)),
  };
}
