/** Tests the rules for retries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelay, parseRetryAfter } from './retry.ts';

const retryPolicy = { retries: 3, backoffMs: 100, maxDelayMs: 30_000 };
const after = (value: string) => parseRetryAfter(new Headers({ 'Retry-After': value }), Date.UTC(2026, 0, 1));

test('delays double, with full jitter', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => retryDelay(attempt, retryPolicy, undefined, 0.5)),
    [50, 100, 200],
  );
  assert.equal(retryDelay(1, retryPolicy, undefined, 0), 0);
});

test('no delay exceeds the maximum', () => {
  assert.equal(retryDelay(40, { ...retryPolicy, retries: 50 }, undefined, 1), 30_000);
});

test('there is no delay after the last retry', () => {
  assert.equal(retryDelay(4, retryPolicy, undefined, 0.5), undefined);
  assert.equal(retryDelay(4, retryPolicy, 1, 0.5), undefined);
});

test('Retry-After of the server is used, unless it is too long', () => {
  assert.equal(retryDelay(1, retryPolicy, 30, 0.5), 30_000);
  assert.equal(retryDelay(1, retryPolicy, 31, 0.5), undefined);
});

test('Retry-After is seconds or a date; a past date means now, and an invalid value is ignored', () => {
  assert.equal(after('120'), 120);
  assert.equal(after('Thu, 01 Jan 2026 00:00:10 GMT'), 10);
  assert.equal(after('Wed, 31 Dec 2025 00:00:00 GMT'), 0);
  assert.equal(after('soon'), undefined);
  assert.equal(parseRetryAfter(new Headers(), 0), undefined);
});
