/** Counts WebSockets that were closed for what they sent. A network with too many of them is refused at the upgrade. */
import { networkOf } from '../../domain/networks.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';
import { addBounded } from '../../edges/guess-limiter.ts';

export interface ViolationLimiter {
  /** Counts one more for the network of this address. */
  record(address: string): void;
  /** A known device or client was admitted from this network, so others in it cannot block its return. */
  exempt(address: string): void;
  /** Whether WebSockets from this network are refused now. */
  isBlocked(address: string): boolean;
}

/** Honest programs send nothing invalid, so programs that share an address do not use up each other's limit. */
const defaultViolationRate: RateLimit = { perSecond: 2, burst: 200 };

export function createViolationLimiter(limit: RateLimit = defaultViolationRate): ViolationLimiter {
  const rate = createRateLimiter(limit);
  const exemptNetworks = new Set<string>();
  return {
    record: (address) => void rate.allow(networkOf(address)),
    exempt: (address) => addBounded(exemptNetworks, networkOf(address)),
    isBlocked: (address) => !exemptNetworks.has(networkOf(address)) && !rate.wouldAllow(networkOf(address)),
  };
}
