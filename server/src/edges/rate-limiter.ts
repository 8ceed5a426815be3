/** A token-bucket rate limiter by key. */
import { createTimeHeap, type HeapItem } from './time-heap.ts';

export interface RateLimiter {
  /** Takes `cost` tokens if they are there, and returns whether they were. */
  allow(key: string, cost?: number): boolean;
  /** Returns whether one token is there, without taking it. */
  wouldAllow(key: string): boolean;
  /** Returns one token. */
  refund(key: string): void;
}

export interface RateLimit {
  perSecond: number;
  burst: number;
}

/** If there are more buckets, the one that is full first is dropped. */
const maxBuckets = 50_000;

/** `time` is when the bucket is full again and need not be stored. */
interface Bucket extends HeapItem {
  key: string;
  tokens: number;
  at: number;
}

/** `clock`: milliseconds of a monotonic clock. */
export function createRateLimiter(
  { perSecond, burst }: RateLimit,
  clock = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const byTime = createTimeHeap<Bucket>();

  function drop(bucket: Bucket): void {
    byTime.remove(bucket);
    buckets.delete(bucket.key);
  }
  function save(key: string, tokens: number, at: number): void {
    const before = buckets.get(key);
    if (tokens >= burst) return before && drop(before);
    const time = at + ((burst - tokens) / perSecond) * 1_000;
    if (before) return byTime.update(Object.assign(before, { tokens, at, time }));
    if (buckets.size >= maxBuckets) drop(byTime.first()!);
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
