/** How often somebody may do something: so many at once, then so many a second. */
import { createTimeHeap, type HeapItem } from './time-heap.ts';

export interface RateLimiter {
  /** `cost` where one time counts as several. */
  allow(key: string, cost?: number): boolean;
  /** Whether one more time would be allowed now; asking costs nothing. */
  wouldAllow(key: string): boolean;
  /** Gives back what an allowed time has cost. */
  refund(key: string): void;
}

export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** How many are remembered; anyone who is full again, or will be soonest, is forgotten first. */
const maxBuckets = 50_000;

/** `time`: when it is full again, and as if nobody had ever heard of them. */
interface Bucket extends HeapItem {
  key: string;
  tokens: number;
  at: number;
}

/** `clock`: milliseconds of one that nobody sets. */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  clock = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const byTime = createTimeHeap<Bucket>();

  function forget(bucket: Bucket): void {
    byTime.remove(bucket);
    buckets.delete(bucket.key);
  }
  function save(key: string, tokens: number, at: number): void {
    const before = buckets.get(key);
    if (tokens >= burst) return before && forget(before);
    const time = at + ((burst - tokens) / perSecond) * 1_000;
    if (before) return byTime.update(Object.assign(before, { tokens, at, time }));
    if (buckets.size >= maxBuckets) forget(byTime.first()!);
    const bucket = { key, tokens, at, time, index: 0 };
    buckets.set(key, bucket);
    byTime.add(bucket);
  }
  const tokensOf = (key: string, now: number): number => {
    const before = buckets.get(key) ?? { tokens: burst, at: now };
    return Math.min(burst, before.tokens + ((now - before.at) / 1_000) * perSecond);
  };
  return {
    allow(key, cost = 1) {
      const now = clock();
      const tokens = tokensOf(key, now);
      save(key, tokens >= cost ? tokens - cost : tokens, now);
      return tokens >= cost;
    },
    wouldAllow: (key) => tokensOf(key, clock()) >= 1,
    refund(key) {
      const before = buckets.get(key);
      if (before) save(key, Math.min(burst, before.tokens + 1), before.at);
    },
  };
}
