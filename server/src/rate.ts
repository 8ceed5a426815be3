/** How often somebody may do something: so many at once, then so many a second. */
export interface Rate {
  /** `cost` where one time counts as several. */
  allow(who: string, cost?: number): boolean;
  /** Gives back what an allowed time has cost. */
  giveBack(who: string): void;
}

/** How many are remembered; whoever is forgotten starts anew. */
const remembered = 50_000;

export function createRate({ perSecond, burst }: { perSecond: number; burst: number }): Rate {
  const known = new Map<string, { left: number; at: number }>();
  return {
    allow(who, cost = 1) {
      const now = performance.now();
      const before = known.get(who) ?? { left: burst, at: now };
      const left = Math.min(burst, before.left + ((now - before.at) / 1_000) * perSecond);
      if (known.size >= remembered && !known.has(who)) known.clear();
      known.set(who, { left: left >= cost ? left - cost : left, at: now });
      return left >= cost;
    },
    giveBack(who) {
      const before = known.get(who);
      if (before) known.set(who, { ...before, left: Math.min(burst, before.left + 1) });
    },
  };
}
