/** The rules of sending again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, parseRetryAfter } from './retry.ts';

const retryPolicy = { retries: 3, backoffMs: 100, maxDelayMs: 30_000 };
const after = (value: string) => parseRetryAfter(new Headers({ 'Retry-After': value }), Date.UTC(2026, 0, 1));

test('pauses grow twofold, with chance between nothing and the whole', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, retryPolicy, undefined, 0.5)),
    [50, 100, 200],
  );
  assert.equal(retryDelay(1, retryPolicy, undefined, 0), 0);
});

test('no pause is longer than the longest, however many went before', () => {
  assert.equal(retryDelay(40, { ...retryPolicy, retries: 50 }, undefined, 1), 30_000);
});

test('after the last retry there is no further one', () => {
  assert.equal(retryDelay(4, retryPolicy, undefined, 0.5), undefined);
  assert.equal(retryDelay(4, retryPolicy, 1, 0.5), undefined);
});

test('what the server asks for is waited for, unless it is too long', () => {
  assert.equal(retryDelay(1, retryPolicy, 30, 0.5), 30_000);
  assert.equal(retryDelay(1, retryPolicy, 31, 0.5), undefined);
});

test('Retry-After may be seconds or a date; a date that is past means now, nonsense means nothing', () => {
  assert.equal(after('120'), 120);
  assert.equal(after('Thu, 01 Jan 2026 00:00:10 GMT'), 10);
  assert.equal(after('Wed, 31 Dec 2025 00:00:00 GMT'), 0);
  assert.equal(after('soon'), undefined);
  assert.equal(parseRetryAfter(new Headers(), 0), undefined);
});
