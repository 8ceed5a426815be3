/** The spelling of secrets: length, alphabet and fairness, over bytes that are known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, createInviteCode, createDigits, createToken } from './tokens.ts';
import type { RandomBytes } from './tokens.ts';

/** Every byte value in turn, again and again: a perfectly even source. */
function evenBytes(): RandomBytes {
  let next = 0;
  return (count) => Uint8Array.from({ length: count }, () => next++ % 256);
}

function countOf(text: string): Map<string, number> {
  return new Map([...Map.groupBy(text, (letter) => letter)].map(([letter, found]) => [letter, found.length]));
}

test('an API key is 64 letters and digits', () => {
  const random = evenBytes();

  for (let round = 0; round < 100; round += 1) assert.match(createApiKey(random), /^[A-Za-z0-9]{64}$/);
});

test('no letter of a key is likelier than another', () => {
  const random = evenBytes();

  // 31 keys are 1984 letters: eight whole rounds of the 248 fair byte values, so each letter comes 32 times.
  const counts = countOf(Array.from({ length: 31 }, () => createApiKey(random)).join(''));

  assert.equal(counts.size, 62);
  assert.deepEqual(new Set(counts.values()), new Set([32]));
});

test('a code is a number between 100000000 and 999999999', () => {
  const random = evenBytes();

  for (let round = 0; round < 1_000; round += 1) assert.match(createInviteCode(random), /^[1-9][0-9]{8}$/);
  assert.equal(
    createInviteCode((count) => new Uint8Array(count)),
    '100000000',
  );
  assert.equal(
    createInviteCode((count) => new Uint8Array(count).fill(249)),
    '799999999',
  );
});

test('no digit of a code is likelier than another, the first being one to nine', () => {
  const first = countOf(
    Array.from({ length: 252 }, (_, byte) => createDigits(() => Uint8Array.of(byte), 1)).join(''),
  );
  const rest = countOf(
    Array.from({ length: 250 }, (_, byte) => createDigits(() => Uint8Array.of(byte), 2).slice(1)).join(''),
  );

  assert.deepEqual([first.size, new Set(first.values())], [9, new Set([28])]);
  assert.deepEqual([rest.size, new Set(rest.values())], [10, new Set([25])]);
});

test('a byte that would favour some letters is thrown away and another one drawn', () => {
  const drawn = [Uint8Array.of(255), Uint8Array.of(252), Uint8Array.of(3)];

  assert.equal(
    createDigits(() => drawn.shift()!, 1),
    '4',
  );
  assert.equal(drawn.length, 0);
});

test('a link token is 43 characters that stand in a URL as they are', () => {
  assert.equal(
    createToken((count) => new Uint8Array(count).fill(0xff)),
    `${'_'.repeat(42)}8`,
  );
  assert.match(createToken(evenBytes()), /^[A-Za-z0-9_-]{43}$/);
});
