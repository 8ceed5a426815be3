/** How often somebody may do something: so many at once, then so many a second. */
export interface Rate {
  /** `cost` where one time counts as several. */
  allow(who: string, cost?: number): boolean;
  /** Whether one more time would be allowed now; asking costs nothing. */
  wouldAllow(who: string): boolean;
  /** Gives back what an allowed time has cost. */
  giveBack(who: string): void;
}

export interface Pace {
  perSecond: number;
  burst: number;
}

/** How many are remembered; who was not heard of for longest is forgotten first, and starts anew. */
const remembered = 50_000;

/** `clock`: milliseconds of one that nobody sets. */
export function createRate({ perSecond, burst }: Pace, clock = () => performance.now()): Rate {
  const known = new Map<string, { left: number; at: number }>();
  const keep = (who: string, left: number, at: number): void => {
    if (!known.delete(who) && known.size >= remembered) known.delete(known.keys().next().value!);
    known.set(who, { left, at });
  };
  const leftOf = (who: string, now: number): number => {
    const before = known.get(who) ?? { left: burst, at: now };
    return Math.min(burst, before.left + ((now - before.at) / 1_000) * perSecond);
  };
  return {
    allow(who, cost = 1) {
      const now = clock();
      const left = leftOf(who, now);
      keep(who, left >= cost ? left - cost : left, now);
      return left >= cost;
    },
    wouldAllow: (who) => leftOf(who, clock()) >= 1,
    giveBack(who) {
      const before = known.get(who);
      if (before) keep(who, Math.min(burst, before.left + 1), before.at);
    },
  };
}
