/** The comparison of secrets of links. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timingSafeEqualText } from './timing-safe-equal.ts';

test('two secrets are the same when every sign of them is, whatever their length and letters', () => {
  const pairs: [string, string, boolean][] = [
    ['', '', true],
    ['abc', 'abc', true],
    ['abc', 'abd', false],
    ['abc', 'abcd', false],
    ['abcd', 'abc', false],
    // As long in letters, but not in bytes.
    ['é', 'e', false],
  ];
  for (const [one, other, expected] of pairs)
    assert.equal(timingSafeEqualText(one, other), expected, `${one} ${other}`);
});
