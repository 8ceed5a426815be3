/** Tests of how long agents wait before they retry. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backOff, nextTry } from './back-off.ts';

test('the maximum wait doubles with every failure, up to a minute', () => {
  const longest = [1, 2, 3, 5, 6, 50].map((failures) => backOff(failures, 1));

  assert.deepEqual(longest, [2_000, 4_000, 8_000, 32_000, 60_000, 60_000]);
});

test('the wait is random up to the maximum, so that a fleet does not reconnect at the same time', () => {
  const waits = [0, 0.25, 0.5, 0.999].map((random) => backOff(4, random));

  assert.deepEqual(waits, [0, 4_000, 8_000, 15_984]);
});

test('the first retry after a working connection is spread over fifteen seconds', () => {
  assert.deepEqual([backOff(0, 0), backOff(0, 0.5), backOff(0, 1)], [0, 7_500, 15_000]);
});

test('agents that the server asked to reconnect later are spread as well, however often they failed before', () => {
  assert.deepEqual([nextTry(30, 9, 0), nextTry(30, 9, 0.5), nextTry(0, 9, 1)], [30_000, 37_500, 15_000]);
  assert.equal(nextTry(undefined, 3, 0.5), backOff(3, 0.5));
});

test('ten thousand agents that lost the same server reconnect evenly', () => {
  const perSecond = Array.from({ length: 15 }, () => 0);
  for (let agent = 0; agent < 10_000; agent++) perSecond[Math.floor(backOff(0, agent / 10_000) / 1_000)]!++;

  assert.ok(Math.max(...perSecond) <= 1.1 * (10_000 / 15));
});
