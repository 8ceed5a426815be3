/** The format of secrets: length, alphabet and uniformity, with known bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, createInviteCode, createDigits, createToken } from './tokens.ts';
import type { RandomBytes } from './tokens.ts';

/** Every byte value in turn, repeatedly: a perfectly uniform source. */
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

test('all letters of a key are equally likely', () => {
  const random = evenBytes();

  // 31 keys are 1984 letters: eight full rounds of the 248 usable byte values, so each letter occurs 32 times.
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

test('all digits of a code are equally likely, the first being one to nine', () => {
  const first = countOf(
    Array.from({ length: 252 }, (_, byte) => createDigits(() => Uint8Array.of(byte), 1)).join(''),
  );
  const rest = countOf(
    Array.from({ length: 250 }, (_, byte) => createDigits(() => Uint8Array.of(byte), 2).slice(1)).join(''),
  );

  assert.deepEqual([first.size, new Set(first.values())], [9, new Set([28])]);
  assert.deepEqual([rest.size, new Set(rest.values())], [10, new Set([25])]);
});

test('a byte that would favour some letters is discarded and another one is drawn', () => {
  const drawn = [Uint8Array.of(255), Uint8Array.of(252), Uint8Array.of(3)];

  assert.equal(
    createDigits(() => drawn.shift()!, 1),
    '4',
  );
  assert.equal(drawn.length, 0);
});

test('a link token is 43 characters that need no escaping in a URL', () => {
  assert.equal(
    createToken((count) => new Uint8Array(count).fill(0xff)),
    `${'_'.repeat(42)}8`,
  );
  assert.match(createToken(evenBytes()), /^[A-Za-z0-9_-]{43}$/);
});
