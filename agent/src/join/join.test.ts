/** Tests of the arguments of the join command. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInvitation } from './join.ts';

test('join requires a code of nine digits and an https address', () => {
  const server = 'https://help.example:8443';

  assert.deepEqual(readInvitation({ code: '123 456-789', server: `${server}/i/1` }), {
    server,
    code: '123456789',
    pin: undefined,
    authorities: undefined,
  });
  for (const wrong of [
    { server },
    { code: '12345678', server },
    { code: '123456789', server: 'http://a.example' },
  ])
    assert.throws(() => readInvitation(wrong));
  assert.throws(() => readInvitation({ code: '123456789', server, fingerprint: 'short' }), /SHA-256/);
});
