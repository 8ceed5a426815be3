/** Limits how many handshakes a network may begin without completing them. */
import { networkOf } from '../../domain/networks.ts';
import { addBounded } from '../../edges/guess-limiter.ts';
import { createRateLimiter, type RateLimit } from '../../edges/rate-limiter.ts';

export interface HelloLimiter {
  /** Remembers the key of a device that was admitted. */
  admitted(key: string): void;
  /** Undefined when the limit is reached. */
  spend(address: string, key: string): { giveBack(): void } | undefined;
}

/**
 * A handshake that succeeds costs nothing: thousands of devices may share a network, and all of them may reconnect at
 * once. No more than these can be in progress, because unauthenticated connections are limited too.
 */
const defaultHelloRate: RateLimit = { perSecond: 20, burst: 3_000 };
/** How often one device that was admitted before may reconnect while others in its network have reached the limit. */
const returningDeviceRate: RateLimit = { perSecond: 0.1, burst: 5 };

/** A device that this process admitted before has a limit of its own, so that its neighbours cannot keep it away. */
export function createHelloLimiter(rate: RateLimit = defaultHelloRate): HelloLimiter {
  const [byNetwork, byKey] = [createRateLimiter(rate), createRateLimiter(returningDeviceRate)];
  const known = new Set<string>();
  return {
    admitted: (key) => addBounded(known, key),
    spend(address, key) {
      const network = networkOf(address);
      if (byNetwork.allow(network)) return { giveBack: () => byNetwork.refund(network) };
      return known.has(key) && byKey.allow(key) ? { giveBack: () => byKey.refund(key) } : undefined;
    },
  };
}
