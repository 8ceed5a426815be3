/** Tests of certificate fingerprints on the command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPin } from './pin.ts';

test('a fingerprint is accepted in each supported format, and anything else is rejected', () => {
  const bytes = Buffer.alloc(32, 0xa7);
  const colons = bytes.toString('hex').toUpperCase().match(/../g)!.join(':');

  for (const text of [bytes.toString('hex'), colons, bytes.toString('base64url')])
    assert.equal(readPin(text), bytes.toString('base64url'));
  const key = `sha256//${bytes.toString('base64')}`;
  assert.equal(readPin(key), key);
  for (const text of ['', 'sha256//', 'a'.repeat(63), `sha256//${bytes.toString('hex')}`])
    assert.equal(readPin(text), undefined);
});
