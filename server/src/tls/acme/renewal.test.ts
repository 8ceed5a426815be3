/** When certificates are renewed, and how long failures wait. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renewalTime, orderRetryDelay } from './renewal.ts';

const minute = 60_000;

test('a certificate is renewed after two thirds of its life, however long that is', () => {
  const from = new Date('2026-01-01T00:00:00Z');
  const after = (days: number): Date => new Date(from.getTime() + days * 86_400_000);

  for (const [days, renewed] of [
    [90, 60],
    [6, 4],
  ] as const)
    assert.equal(renewalTime({ validFromDate: from, validToDate: after(days) }), after(renewed).getTime());
});

test('failures wait twice as long each time, at most twelve hours, and as long as the authority wants', () => {
  assert.deepEqual(
    [1, 2, 3, 8, 9, 5_000].map((failures) => orderRetryDelay(failures) / minute),
    [5, 10, 20, 640, 720, 720],
  );
  assert.equal(orderRetryDelay(1, 3_600_000), 3_600_000);
  assert.equal(orderRetryDelay(9, 1_000), 720 * minute);
});
