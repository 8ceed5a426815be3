/** Which relay carries a session, given what its two sides have measured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestRelay } from './nearest-relay.ts';

const trips = (given: Record<string, number>) => Object.entries(given).map(([name, ms]) => ({ name, ms }));

const cases: [string, Record<string, number>, Record<string, number>, string][] = [
  [
    'the sum decides, and not the round trip of one side',
    { '': 90, a: 5, b: 40 },
    { '': 90, a: 90, b: 40 },
    'b',
  ],
  ['the own relay is chosen if it is the nearest', { '': 10, a: 20 }, { '': 10, a: 20 }, ''],
  ['the own relay is chosen for equal sums', { '': 10, a: 5 }, { '': 10, a: 15 }, ''],
  ['a relay that the device does not reach is not chosen', { '': 90, a: 1, b: 50 }, { '': 90, b: 50 }, 'b'],
  ['a relay that the operator does not reach is not chosen', { '': 90 }, { '': 90, a: 1 }, ''],
  ['a relay that both reach is better than an own one that they do not', { a: 300 }, { a: 300 }, 'a'],
  ['without measurements the own relay is chosen', {}, {}, ''],
  ['a relay that is not offered is not chosen', { '': 90, away: 1 }, { '': 90, away: 1 }, ''],
];

for (const [says, operator, device, expected] of cases)
  test(says, () => {
    assert.equal(nearestRelay(['a', 'b'], trips(operator), trips(device)), expected);
  });
