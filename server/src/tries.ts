/** How often somebody may guess at secrets: a wrong guess costs, a right one does not, and no network can shut another out. */
import { networkOf, wideNetworkOf } from './domain/networks.ts';
import { createRateLimiter, type RateLimit } from './rate-limiter.ts';

export interface Limits {
  /** From one network, at whatever it is; from all within an IPv6 /48 together five times as much. */
  perPlace: RateLimit;
  /** From one network at one secret. */
  perPair: RateLimit;
  /** At one secret from everywhere. */
  altogether: RateLimit;
  /** What there is once others have used up what there is altogether. */
  reserve?: Reserve;
  /** From where it was guessed right once, what others guess does not count any more. */
  trusts?: boolean;
}

/** Tries that are kept for others: anyone who comes from elsewhere, and knows the secret, gets in while it is under attack. */
export interface Reserve {
  /** For one network at one secret. */
  perNetwork: RateLimit;
  /** At one secret for all networks; without it there is no bound but the number of networks. */
  altogether?: RateLimit;
}

export interface Guess {
  /** Those of the secrets at which one may guess now; it has cost already. */
  open: readonly string[];
  /** It was these: guessing them has cost nothing. */
  right(secrets: readonly string[]): void;
  /** Nothing was looked at: nothing has cost anything. */
  undo(): void;
}

/** What is known of the secrets. */
export interface About {
  /** Those of them of which is known that this network guessed them right before. */
  trusted?: readonly string[];
  /** Nobody has them: they are counted in the same way, but apart, so that made-up names flush no count of a real one. */
  areMadeUp?: boolean;
}

export interface Tries {
  guess(secrets: readonly string[], address: string, about?: About): Guess;
}

/** How many pairs of network and secret are remembered. */
const remembered = 50_000;
const none: RateLimit = { perSecond: 0, burst: 0 };
/** A wide network, an IPv6 /48, has as many tries as so many of the 65,536 networks in it. */
const placesInWide = 5;

/** A place in memory for so many names; the one that is there for longest makes room. */
export function remember(names: Set<string>, name: string): void {
  names.delete(name);
  const [oldest] = names;
  if (names.size >= remembered) names.delete(oldest!);
  names.add(name);
}

type GiveBack = () => void;

/** Spends from what there is for all, then from the reserve. */
function createPool({ altogether, reserve }: Limits, clock?: () => number) {
  const common = createRateLimiter(altogether, clock);
  const perNetwork = createRateLimiter(reserve?.perNetwork ?? none, clock);
  const reserved = reserve?.altogether && createRateLimiter(reserve.altogether, clock);
  return (secret: string, address: string): GiveBack | undefined => {
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
function createCount(limits: Limits, clock?: () => number) {
  const perPair = createRateLimiter(limits.perPair, clock);
  const spendCommon = createPool(limits, clock);
  return (secret: string, address: string, isTrusted: boolean): GiveBack | undefined => {
    const pair = pairOf(secret, address);
    if (!perPair.allow(pair)) return undefined;
    const own = (): void => perPair.refund(pair);
    if (isTrusted) return own;
    const giveBack = spendCommon(secret, address);
    if (giveBack) return () => (own(), giveBack());
    own();
    return undefined;
  };
}

/** Counts guesses by where they come from, at whatever they are. */
function createPlaceCount({ perPlace }: Limits, clock?: () => number) {
  const { perSecond, burst } = perPlace;
  const wide = createRateLimiter({ perSecond: perSecond * placesInWide, burst: burst * placesInWide }, clock);
  const narrow = createRateLimiter(perPlace, clock);
  return (address: string): GiveBack | undefined => {
    const [place, around] = [networkOf(address), wideNetworkOf(address)];
    if (!wide.allow(around)) return undefined;
    if (narrow.allow(place)) return () => (narrow.refund(place), wide.refund(around));
    wide.refund(around);
    return undefined;
  };
}

export function createTries(limits: Limits, clock?: () => number): Tries {
  const spendPlace = createPlaceCount(limits, clock);
  const [real, madeUp] = [createCount(limits, clock), createCount(limits, clock)];
  const known = new Set<string>();

  return {
    guess(secrets, address, { trusted = [], areMadeUp = false } = {}) {
      const spent = new Map<string, GiveBack>();
      const giveBackPlace = spendPlace(address);
      const undo = (which: Iterable<string>): void => {
        giveBackPlace?.();
        for (const secret of which) spent.get(secret)?.();
      };
      if (giveBackPlace) {
        const spend = areMadeUp ? madeUp : real;
        for (const secret of secrets) {
          const isTrusted = trusted.includes(secret) || known.has(pairOf(secret, address));
          const giveBack = spend(secret, address, isTrusted);
          if (giveBack) spent.set(secret, giveBack);
        }
        if (spent.size === 0) undo([]);
      }
      return {
        open: [...spent.keys()],
        right(which) {
          undo(which);
          if (limits.trusts) for (const secret of which) remember(known, pairOf(secret, address));
        },
        undo: () => undo(spent.keys()),
      };
    },
  };
}
