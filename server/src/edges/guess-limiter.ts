/** How often somebody may guess at secrets: a wrong guess costs, a right one does not, and no network can shut another out. */
import { networkOf, wideNetworkOf } from '../domain/networks.ts';
import { createRateLimiter, type RateLimit } from './rate-limiter.ts';

export interface GuessLimits {
  /** From one network, at whatever it is; from all within an IPv6 /48 together five times as much. */
  perNetwork: RateLimit;
  /** From one network at one secret. */
  perPair: RateLimit;
  /** At one secret from everywhere. */
  total: RateLimit;
  /** What there is once others have used up what there is altogether. */
  reserve?: GuessReserve;
  /** From where it was guessed right once, what others guess does not count any more. */
  trustsNetworks?: boolean;
}

/** Tries that are kept for others: anyone who comes from elsewhere, and knows the secret, gets in while it is under attack. */
export interface GuessReserve {
  /** For one network at one secret. */
  perNetwork: RateLimit;
  /** At one secret for all networks; without it there is no bound but the number of networks. */
  total?: RateLimit;
}

export interface Guess {
  /** Those of the secrets at which one may guess now; it has cost already. */
  allowed: readonly string[];
  /** It was these: guessing them has cost nothing. */
  confirm(secrets: readonly string[]): void;
  /** Nothing was looked at: nothing has cost anything. */
  undo(): void;
}

/** What is known of the secrets. */
export interface GuessInfo {
  /** Those of them of which is known that this network guessed them right before. */
  trusted?: readonly string[];
  /** Nobody has them: they are counted in the same way, but apart, so that made-up names flush no count of a real one. */
  areUnknown?: boolean;
}

export interface GuessLimiter {
  guess(secrets: readonly string[], address: string, about?: GuessInfo): Guess;
}

/** How many pairs of network and secret are remembered. */
const maxRemembered = 50_000;
const noRate: RateLimit = { perSecond: 0, burst: 0 };
/** A wide network, an IPv6 /48, has as many tries as so many of the 65,536 networks in it. */
const networksInWide = 5;

/** A place in memory for so many names; the one that is there for longest makes room. */
export function addBounded(names: Set<string>, name: string): void {
  names.delete(name);
  const [oldest] = names;
  if (names.size >= maxRemembered) names.delete(oldest!);
  names.add(name);
}

type Refund = () => void;

/** Spends from what there is for all, then from the reserve. */
function createCommonBudget({ total, reserve }: GuessLimits, clock?: () => number) {
  const common = createRateLimiter(total, clock);
  const perNetwork = createRateLimiter(reserve?.perNetwork ?? noRate, clock);
  const reserved = reserve?.total && createRateLimiter(reserve.total, clock);
  return (secret: string, address: string): Refund | undefined => {
    if (common.allow(secret)) return () => common.refund(secret);
    const pair = `${wideNetworkOf(address)} ${secret}`;
    if (!perNetwork.allow(pair)) return undefined;
    if (!reserved || reserved.allow(secret)) return () => (perNetwork.refund(pair), reserved?.refund(secret));
    perNetwork.refund(pair);
    return undefined;
  };
}

const pairOf = (secret: string, address: string): string => `${networkOf(address)} ${secret}`;

/** Counts guesses at secrets; gives how to give back what one has cost, or undefined when there is nothing left to spend. */
function createSecretBudget(limits: GuessLimits, clock?: () => number) {
  const perPair = createRateLimiter(limits.perPair, clock);
  const spendCommon = createCommonBudget(limits, clock);
  return (secret: string, address: string, isTrusted: boolean): Refund | undefined => {
    const pair = pairOf(secret, address);
    if (!perPair.allow(pair)) return undefined;
    const own = (): void => perPair.refund(pair);
    if (isTrusted) return own;
    const refund = spendCommon(secret, address);
    if (refund) return () => (own(), refund());
    own();
    return undefined;
  };
}

/** Counts guesses by where they come from, at whatever they are. */
function createNetworkBudget({ perNetwork }: GuessLimits, clock?: () => number) {
  const { perSecond, burst } = perNetwork;
  const wide = createRateLimiter(
    { perSecond: perSecond * networksInWide, burst: burst * networksInWide },
    clock,
  );
  const narrow = createRateLimiter(perNetwork, clock);
  return (address: string): Refund | undefined => {
    const [network, wideNetwork] = [networkOf(address), wideNetworkOf(address)];
    if (!wide.allow(wideNetwork)) return undefined;
    if (narrow.allow(network)) return () => (narrow.refund(network), wide.refund(wideNetwork));
    wide.refund(wideNetwork);
    return undefined;
  };
}

export function createGuessLimiter(limits: GuessLimits, clock?: () => number): GuessLimiter {
  const spendNetwork = createNetworkBudget(limits, clock);
  const [forKnown, forUnknown] = [createSecretBudget(limits, clock), createSecretBudget(limits, clock)];
  const known = new Set<string>();

  return {
    guess(secrets, address, { trusted = [], areUnknown = false } = {}) {
      const spent = new Map<string, Refund>();
      const refundNetwork = spendNetwork(address);
      const undo = (which: Iterable<string>): void => {
        refundNetwork?.();
        for (const secret of which) spent.get(secret)?.();
      };
      if (refundNetwork) {
        const spend = areUnknown ? forUnknown : forKnown;
        for (const secret of secrets) {
          const isTrusted = trusted.includes(secret) || known.has(pairOf(secret, address));
          const refund = spend(secret, address, isTrusted);
          if (refund) spent.set(secret, refund);
        }
        if (spent.size === 0) undo([]);
      }
      return {
        allowed: [...spent.keys()],
        confirm(which) {
          undo(which);
          if (limits.trustsNetworks) for (const secret of which) addBounded(known, pairOf(secret, address));
        },
        undo: () => undo(spent.keys()),
      };
    },
  };
}
