/** Sign-in names of identity providers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeSignInName, toSignInName } from './sign-in-name.ts';

test('a name has ten letters in two groups, and depends on the token alone', () => {
  const token = Buffer.alloc(32, 7).toString('base64url');
  const name = toSignInName(token);
  assert.match(name, /^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/);
  assert.equal(toSignInName(token), name);
  assert.notEqual(toSignInName(Buffer.alloc(32, 8).toString('base64url')), name);
});

test('people may enter a name in capitals and without its hyphen', () => {
  for (const entered of ['abcde-fghjk', 'ABCDE-FGHJK', 'abcdefghjk'])
    assert.equal(normalizeSignInName(entered), 'abcde-fghjk');
  assert.equal(normalizeSignInName('abc'), 'abc');
});
