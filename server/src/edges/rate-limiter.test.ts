/** The rate limiter: its limits, and which keys it drops when there are too many. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimiter } from './rate-limiter.ts';

/** More keys than are remembered. */
const many = 60_000;

function open() {
  const clock = { ms: 0 };
  const limiter = createRateLimiter({ perSecond: 0.1, burst: 5 }, () => clock.ms);
  const flood = (name: string, count = many): void => {
    for (let at = 0; at < count; at++) limiter.allow(`${name} ${at}`);
  };
  const useUp = (key: string): void => {
    while (limiter.allow(key));
  };
  return { clock, limiter, flood, useUp };
}

test('a burst is allowed, then a number per second, and a refunded token can be used again', () => {
  const { clock, limiter, useUp } = open();
  useUp('anna');

  assert.deepEqual([limiter.wouldAllow('anna'), limiter.wouldAllow('bert')], [false, true]);
  clock.ms += 10_000;
  assert.deepEqual([limiter.allow('anna'), limiter.allow('anna')], [true, false]);
  limiter.refund('anna');
  assert.deepEqual([limiter.allow('anna', 2), limiter.allow('anna')], [false, true]);
});

test('many keys do not evict a key that has used up more', () => {
  const { limiter, flood, useUp } = open();
  const people = Array.from({ length: 100 }, (_, at) => `person ${at}`);
  people.forEach(useUp);

  for (let round = 0; round < 3; round++) flood(`round ${round}`);

  assert.deepEqual(
    people.filter((key) => limiter.wouldAllow(key)),
    [],
  );
});

test('full buckets are dropped first', () => {
  const { clock, limiter, flood, useUp } = open();
  useUp('anna');
  flood('passer-by', 49_999);
  clock.ms += 10_000; // all but the first are full again
  flood('twice', 40_000);
  flood('twice', 40_000);

  assert.deepEqual([limiter.allow('anna'), limiter.allow('anna')], [true, false]);
});

test('a fully refunded bucket takes no memory from others', () => {
  const { limiter, flood } = open();
  limiter.allow('anna', 4);
  flood('once', 49_999);
  for (let at = 0; at < many; at++) {
    limiter.allow(`back ${at}`);
    limiter.refund(`back ${at}`);
  }

  assert.deepEqual([limiter.allow('anna'), limiter.allow('anna')], [true, false]);
});
