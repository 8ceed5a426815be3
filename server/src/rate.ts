/** How often somebody may do something: so many at once, then so many a second. */
import { createSoonest, type Timed } from './soonest.ts';

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

/** How many are remembered; anyone who is full again, or will be soonest, is forgotten first. */
const remembered = 50_000;

/** `time`: when it is full again, and as if nobody had ever heard of them. */
interface Kept extends Timed {
  who: string;
  left: number;
  at: number;
}

/** `clock`: milliseconds of one that nobody sets. */
export function createRate({ perSecond, burst }: Pace, clock = () => performance.now()): Rate {
  const known = new Map<string, Kept>();
  const byTime = createSoonest<Kept>();

  function forget(kept: Kept): void {
    byTime.remove(kept);
    known.delete(kept.who);
  }
  function keep(who: string, left: number, at: number): void {
    const before = known.get(who);
    if (left >= burst) return before && forget(before);
    const time = at + ((burst - left) / perSecond) * 1_000;
    if (before) return byTime.moved(Object.assign(before, { left, at, time }));
    if (known.size >= remembered) forget(byTime.first()!);
    const kept = { who, left, at, time, index: 0 };
    known.set(who, kept);
    byTime.add(kept);
  }
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
