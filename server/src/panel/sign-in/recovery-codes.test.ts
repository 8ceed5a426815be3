/** How recovery codes are written and recognised. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { newRecoveryCodes, recoveryDigest } from './recovery-codes.ts';

test('there are ten different codes of three groups of four characters', () => {
  const codes = newRecoveryCodes(randomBytes);

  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){2}$/);
});

test('a code is accepted without dashes, in capitals and with spaces, and belongs to one person', () => {
  const [code = ''] = newRecoveryCodes(randomBytes);
  const digest = recoveryDigest(1, code);

  for (const typed of [code.replaceAll('-', ''), code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `])
    assert.equal(recoveryDigest(1, typed), digest);
  assert.notEqual(recoveryDigest(2, code), digest);
});

test('text that cannot be a code has no digest', () => {
  for (const typed of ['', '123456', 'abcd-efgh', 'abcd-efgh-ijklm', 'abcd-efgh-ijk0'])
    assert.equal(recoveryDigest(1, typed), undefined);
});
