/** The effect of the plan on devices, invitations and requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hourEnds,
  hourOf,
  isDisabled,
  isLimited,
  monthEnds,
  monthOf,
  unlimitedRemaining,
  remainOf,
  type PlanState,
} from './plan.ts';

const day = 86_400;
const device = { id: 5, linkTime: 1_000, addedOverFiles: false };
const within = (lastWithin: PlanState['lastWithin'], overFiles = false): PlanState => ({
  lastWithin,
  overFiles,
});
const utc = (text: string): number => Date.parse(text) / 1_000;

test('devices up to the last one within the plan are not blocked, later ones are', () => {
  const blocked = (linkTime: number, id: number) => isDisabled(device, within({ linkTime, id }), 1_000);

  assert.equal(blocked(1_001, 1), false);
  assert.equal(blocked(1_000, 5), false);
  assert.equal(blocked(999, 9), true);
});

test('of devices added in the same second, the one with the larger id came later', () => {
  assert.equal(isDisabled(device, within({ linkTime: 1_000, id: 4 }), 1_000), true);
  assert.equal(isDisabled(device, within({ linkTime: 1_000, id: 6 }), 1_000), false);
});

test('a plan without a limit blocks no device, a plan without computers blocks all', () => {
  assert.equal(isDisabled(device, within('all'), 1_000), false);
  assert.equal(isDisabled(device, within('none'), 1_000), true);
});

test('a device is limited when it was added over the file limit and the account still exceeds it', () => {
  const late = { ...device, addedOverFiles: true };

  assert.equal(isLimited(late, within('all', true)), true);
  assert.equal(isLimited(late, within('all', false)), false);
  assert.equal(isLimited(device, within('all', true)), false);
});

test('a limited device is blocked exactly ten days after it was added', () => {
  const late = { ...device, addedOverFiles: true };
  const blockedAt = (now: number, overFiles = true) => isDisabled(late, within('all', overFiles), now);

  assert.equal(blockedAt(1_000), false);
  assert.equal(blockedAt(1_000 + 10 * day - 1), false);
  assert.equal(blockedAt(1_000 + 10 * day), true);
  assert.equal(blockedAt(1_000 + 400 * day, false), false);
  assert.equal(isDisabled(device, within('all', true), 1_000 + 400 * day), false);
});

test('the remainder is never negative, and without a limit it is the largest number that every client can represent', () => {
  assert.deepEqual(
    [remainOf(5, 0), remainOf(5, 4), remainOf(5, 5), remainOf(5, 6), remainOf(0, 0)],
    [5, 1, 0, 0, 0],
  );
  assert.equal(remainOf(null, 1_000_000), 2_147_483_647);
  assert.equal(unlimitedRemaining, 2 ** 31 - 1);
});

test('an hour begins with its first second and ends with its last', () => {
  assert.equal(hourOf(3_599), 0);
  assert.equal(hourOf(3_600), 1);
  assert.deepEqual([hourEnds(0), hourEnds(3_599), hourEnds(3_600)], [3_600, 3_600, 7_200]);
});

test('a month is a calendar month in UTC, across the end of the year and in leap years', () => {
  const [december, january] = [utc('2027-12-31T23:59:59Z'), utc('2028-01-01T00:00:00Z')];

  assert.equal(monthOf(january), monthOf(december) + 1);
  assert.equal(monthOf(december), monthOf(utc('2027-12-01T00:00:00Z')));
  assert.equal(monthEnds(december), january);
  assert.equal(monthEnds(january), utc('2028-02-01T00:00:00Z'));
  assert.equal(monthEnds(utc('2028-02-29T12:00:00Z')), utc('2028-03-01T00:00:00Z'));
  assert.equal(monthEnds(utc('2027-02-28T23:59:59Z')), utc('2027-03-01T00:00:00Z'));
});
