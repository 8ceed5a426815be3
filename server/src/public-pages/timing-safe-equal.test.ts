/** The comparison of secrets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timingSafeEqualText } from './timing-safe-equal.ts';

test('two secrets are equal if all their characters are, whatever their length and alphabet', () => {
  const pairs: [string, string, boolean][] = [
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['abcd', 'abc', false],
    // The same number of characters, but not of bytes.
    ['é', 'e', false],
  ];
  for (const [one, other, expected] of pairs)
    assert.equal(timingSafeEqualText(one, other), expected, `${one} ${other}`);
});
