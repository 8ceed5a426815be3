/** The rules of sending again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseBefore, retryAfterOf } from './retry.ts';

const patience = { retries: 3, backoffMs: 100, longestMs: 30_000 };
const after = (value: string) => retryAfterOf(new Headers({ 'Retry-After': value }), Date.UTC(2026, 0, 1));

test('pauses grow twofold, with chance between nothing and the whole', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => pauseBefore(attempt, patience, undefined, 0.5)),
    [50, 100, 200],
  );
  assert.equal(pauseBefore(1, patience, undefined, 0), 0);
});

test('no pause is longer than the longest, however many went before', () => {
  assert.equal(pauseBefore(40, { ...patience, retries: 50 }, undefined, 1), 30_000);
});

test('after the last retry there is no further one', () => {
  assert.equal(pauseBefore(4, patience, undefined, 0.5), undefined);
  assert.equal(pauseBefore(4, patience, 1, 0.5), undefined);
});

test('what the server asks for is waited for, unless it is too long', () => {
  assert.equal(pauseBefore(1, patience, 30, 0.5), 30_000);
  assert.equal(pauseBefore(1, patience, 31, 0.5), undefined);
});

test('Retry-After may be seconds or a date; a date that is past means now, nonsense means nothing', () => {
  assert.equal(after('120'), 120);
  assert.equal(after('Thu, 01 Jan 2026 00:00:10 GMT'), 10);
  assert.equal(after('Wed, 31 Dec 2025 00:00:00 GMT'), 0);
  assert.equal(after('soon'), undefined);
  assert.equal(retryAfterOf(new Headers(), 0), undefined);
});
