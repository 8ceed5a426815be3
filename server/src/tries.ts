/** How often somebody may guess at secrets: a wrong guess costs, a right one does not, and no network can shut another out. */
import { createRate, networkOf, wideNetworkOf, type Pace } from './rate.ts';

export interface Limits {
  /** From one network, at whatever it is. */
  perPlace: Pace;
  /** From one network at one secret. */
  perPair: Pace;
  /** At one secret from everywhere. */
  altogether: Pace;
  /**
   * What a network may still guess at a secret once others have used up what there is altogether: whoever comes from
   * elsewhere, and knows the secret, gets in while it is under attack.
   */
  reserve?: Pace;
  /** From where it was guessed right once, what others guess does not count any more. */
  trusts?: boolean;
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
  guess(secrets: readonly string[], address: string): Guess;
}

/** How many pairs of network and secret are remembered. */
const remembered = 50_000;
const none: Pace = { perSecond: 0, burst: 0 };

/** A place in memory for so many names; then it begins anew. */
export function remember(names: Set<string>, name: string): void {
  if (names.size >= remembered) names.clear();
  names.add(name);
}

export function createTries({ trusts = false, ...limits }: Limits, clock?: () => number): Tries {
  const [perPlace, perPair] = [createRate(limits.perPlace, clock), createRate(limits.perPair, clock)];
  const [altogether, reserve] = [
    createRate(limits.altogether, clock),
    createRate(limits.reserve ?? none, clock),
  ];
  const known = new Set<string>();
  const pairOf = (secret: string, address: string): string => `${networkOf(address)} ${secret}`;

  /** How to give back what a guess has cost; undefined when there is nothing left to spend. */
  function spend(secret: string, address: string): (() => void) | undefined {
    const pair = pairOf(secret, address);
    if (!perPair.allow(pair)) return undefined;
    const own = (): void => perPair.giveBack(pair);
    if (trusts && known.has(pair)) return own;
    const last = `${wideNetworkOf(address)} ${secret}`;
    if (altogether.allow(secret)) return () => (own(), altogether.giveBack(secret));
    if (reserve.allow(last)) return () => (own(), reserve.giveBack(last));
    own();
    return undefined;
  }

  return {
    guess(secrets, address) {
      const place = networkOf(address);
      const spent = new Map<string, () => void>();
      const undo = (which: Iterable<string>): void => {
        perPlace.giveBack(place);
        for (const secret of which) spent.get(secret)?.();
      };
      if (perPlace.allow(place)) {
        for (const secret of secrets) {
          const giveBack = spend(secret, address);
          if (giveBack) spent.set(secret, giveBack);
        }
        if (spent.size === 0) undo([]);
      }
      return {
        open: [...spent.keys()],
        right(which) {
          undo(which);
          for (const secret of which) remember(known, pairOf(secret, address));
        },
        undo: () => undo(spent.keys()),
      };
    },
  };
}
