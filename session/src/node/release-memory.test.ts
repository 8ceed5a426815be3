/** Memory of bytes that nobody needs any more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseMemory } from './release-memory.ts';

const large = 64 * 1_024;

test('large memory that holds nothing else is released at once', () => {
  const bytes = new Uint8Array(large);

  releaseMemory(bytes);

  assert.equal(bytes.length, 0);
});

test('memory that holds more than the bytes is left alone, and so is small memory', () => {
  const whole = new Uint8Array(2 * large).fill(7);
  const small = Uint8Array.of(1, 2, 3);

  for (const bytes of [whole.subarray(0, large), whole.subarray(large), small]) releaseMemory(bytes);

  assert.deepEqual([...small], [1, 2, 3]);
  assert.ok(whole.length === 2 * large && whole.every((byte) => byte === 7));
});
