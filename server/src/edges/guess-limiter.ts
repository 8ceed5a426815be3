/** Limits guesses at secrets: only wrong guesses count, and no network can keep another one out. */
import { networkOf, wideNetworkOf } from '../domain/networks.ts';
import { createRateLimiter, type RateLimit, type RateLimiter } from './rate-limiter.ts';

export interface GuessLimits {
  /** From one network at all secrets; all networks within an IPv6 /48 together have five times as much. */
  perNetwork: RateLimit;
  /** From one network at one secret. */
  perPair: RateLimit;
  /** At one secret from all networks. */
  total: RateLimit;
  /** What is left once the total is used up. */
  reserve?: GuessReserve;
  /** Once a network has guessed a secret right, guesses of other networks no longer limit it there. */
  trustsNetworks?: boolean;
}

/** Guesses reserved for networks that have not guessed yet: anyone who knows the secret gets in even during an attack. */
interface GuessReserve {
  /** For one network at one secret. */
  perNetwork: RateLimit;
  /** At one secret for all networks; without it, only the number of networks limits the reserve. */
  total?: RateLimit;
}

export interface Guess {
  /** The secrets at which a guess is allowed now; these guesses are already counted. */
  allowed: readonly string[];
  /** The guesses at these secrets were right: they do not count. */
  confirm(secrets: readonly string[]): void;
  /**
   * These secrets were not compared, by default all of them: the guesses at them do not count. The guess of the network
   * counts unless nothing was compared.
   */
  undo(secrets?: readonly string[]): void;
}

/** What is known about the secrets. */
export interface GuessInfo {
  /** The secrets that this network is known to have guessed right before. */
  trusted?: readonly string[];
  /** The secrets do not exist. They are counted separately, so that invented names cannot evict the counts of real ones. */
  areUnknown?: boolean;
}

export interface GuessLimiter {
  guess(secrets: readonly string[], address: string, about?: GuessInfo): Guess;
}

/** A limiter that may count together with those of other nodes. */
export interface SharedGuessLimiter {
  guess(secrets: readonly string[], address: string, about?: GuessInfo): Promise<Guess>;
}

/** Makes a limiter of this node one that all nodes share. `name` identifies it on all of them. */
export type ShareLimiter = (name: string, limiter: GuessLimiter) => SharedGuessLimiter;

/** For a server that is alone on its database. */
export const keepToNode: ShareLimiter = (_name, { guess }) => ({
  guess: async (...guessed) => guess(...guessed),
});

/** A rate limiter in the form that can be shared: each key is a secret, and the address does not matter. */
export const guessesByRate = (rate: RateLimiter): GuessLimiter => ({
  guess(keys) {
    const allowed = keys.filter((key) => rate.allow(key));
    const confirm = (which: readonly string[]): void => which.forEach((key) => rate.refund(key));
    return { allowed, confirm, undo: (which = allowed) => confirm(which) };
  },
});

/** How many pairs of network and secret are remembered. */
const maxRemembered = 50_000;
const noRate: RateLimit = { perSecond: 0, burst: 0 };
/** A wide network, an IPv6 /48, has as many guesses as this many of the 65,536 networks in it. */
const networksInWide = 5;

/** Adds a name to a set of limited size; the oldest name is removed if necessary. */
export function addBounded(names: Set<string>, name: string): void {
  names.delete(name);
  const [oldest] = names;
  if (names.size >= maxRemembered) names.delete(oldest!);
  names.add(name);
}

type Refund = () => void;

/** Spends from the total, then from the reserve. */
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

/** Counts guesses at secrets. Returns a function that refunds the guess, or undefined if the limit is reached. */
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

/** Counts the guesses of a network at all secrets. */
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
      const refund = (which: Iterable<string>): void => {
        for (const secret of which) spent.get(secret)?.();
      };
      if (refundNetwork) {
        const spend = areUnknown ? forUnknown : forKnown;
        for (const secret of secrets) {
          const isTrusted = trusted.includes(secret) || known.has(pairOf(secret, address));
          const refundOne = spend(secret, address, isTrusted);
          if (refundOne) spent.set(secret, refundOne);
        }
        if (spent.size === 0) refundNetwork();
      }
      return {
        allowed: [...spent.keys()],
        confirm(which) {
          refundNetwork?.();
          refund(which);
          if (limits.trustsNetworks) for (const secret of which) addBounded(known, pairOf(secret, address));
        },
        undo(which = [...spent.keys()]) {
          refund(which);
          if (spent.keys().every((secret) => which.includes(secret))) refundNetwork?.();
        },
      };
    },
  };
}
