/**
 * Thousands of generated requests, right and wrong: each is answered as decided, and the service keeps
 * running.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../kit/random.ts';
import { fuzz } from './fuzz.ts';

const requests = 5_000;

test(`${requests} generated requests cause no server error, no hang and no crash (seed ${seed})`, async () => {
  const { wrong, timedOut, codes, entered, healthy, polluted, grownMegabytes } = await fuzz({
    seed,
    requests,
  });

  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(timedOut.length < requests / 100, `${timedOut.length} handshakes timed out`);
  assert.ok(healthy, 'it no longer answers');
  assert.deepEqual(polluted, []);
  assert.ok(grownMegabytes < 200, `memory grew by ${grownMegabytes} MB`);
  assert.ok(entered > 0, 'no device was let in');
  for (const code of [200, 400, 402, 403, 404, 431]) assert.ok(codes[code]! > 0, `nothing ended in ${code}`);
});
