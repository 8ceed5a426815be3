/** How often somebody may guess at secrets: a wrong guess costs, a right one does not, and no network can shut another out. */
import { networkOf, wideNetworkOf } from './domain/networks.ts';
import { createRate, type Pace } from './rate.ts';

export interface Limits {
  /** From one network, at whatever it is. */
  perPlace: Pace;
  /** From one network at one secret. */
  perPair: Pace;
  /** At one secret from everywhere. */
  altogether: Pace;
  /** What there is once others have used up what there is altogether. */
  reserve?: Reserve;
  /** From where it was guessed right once, what others guess does not count any more. */
  trusts?: boolean;
}

/** Tries that are kept for others: anyone who comes from elsewhere, and knows the secret, gets in while it is under attack. */
export interface Reserve {
  /** For one network at one secret. */
  perNetwork: Pace;
  /** At one secret for all networks; without it there is no bound but the number of networks. */
  altogether?: Pace;
}

export interface Guess {
  /** Those of the secrets at which one may guess now; it has cost already. */
  open: readonly string[];
  /** It was these: guessing them has cost nothing. */
  right(secrets: readonly string[]): void;
  /** Nothing was looked at: nothing has cost anything. */
  undo(): void;
}

export interface Tries {
  /** `trusted`: those of the secrets of which is known that this network guessed them right before. */
  guess(secrets: readonly string[], address: string, trusted?: readonly string[]): Guess;
}

/** How many pairs of network and secret are remembered. */
const remembered = 50_000;
const none: Pace = { perSecond: 0, burst: 0 };

/** A place in memory for so many names; then it begins anew. */
export function remember(names: Set<string>, name: string): void {
  if (names.size >= remembered) names.clear();
  names.add(name);
}

type GiveBack = () => void;

/** Spends from what there is for all, then from the reserve. */
function createPool({ altogether, reserve }: Limits, clock?: () => number) {
  const common = createRate(altogether, clock);
  const perNetwork = createRate(reserve?.perNetwork ?? none, clock);
  const reserved = reserve?.altogether && createRate(reserve.altogether, clock);
  return (secret: string, address: string): GiveBack | undefined => {
    if (common.allow(secret)) return () => common.giveBack(secret);
    const pair = `${wideNetworkOf(address)} ${secret}`;
    if (!perNetwork.allow(pair)) return undefined;
    if (!reserved || reserved.allow(secret))
      return () => (perNetwork.giveBack(pair), reserved?.giveBack(secret));
    perNetwork.giveBack(pair);
    return undefined;
  };
}

export function createTries(limits: Limits, clock?: () => number): Tries {
  const [perPlace, perPair] = [createRate(limits.perPlace, clock), createRate(limits.perPair, clock)];
  const spendCommon = createPool(limits, clock);
  const known = new Set<string>();
  const pairOf = (secret: string, address: string): string => `${networkOf(address)} ${secret}`;

  /** How to give back what a guess has cost; undefined when there is nothing left to spend. */
  function spend(secret: string, address: string, isTrusted: boolean): GiveBack | undefined {
    const pair = pairOf(secret, address);
    if (!perPair.allow(pair)) return undefined;
    const own = (): void => perPair.giveBack(pair);
    if (isTrusted || known.has(pair)) return own;
    const giveBack = spendCommon(secret, address);
    if (giveBack) return () => (own(), giveBack());
    own();
    return undefined;
  }

  return {
    guess(secrets, address, trusted = []) {
      const place = networkOf(address);
      const spent = new Map<string, GiveBack>();
      const undo = (which: Iterable<string>): void => {
        perPlace.giveBack(place);
        for (const secret of which) spent.get(secret)?.();
      };
      if (perPlace.allow(place)) {
        for (const secret of secrets) {
          const giveBack = spend(secret, address, trusted.includes(secret));
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
