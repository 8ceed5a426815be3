/** Codes of authenticator apps, checked against the examples of the RFCs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOfStep, fromBase32, newTotpSecret, stepAt, stepOfCode, toBase32, totpUrl } from './totp.ts';

const secret = toBase32(Buffer.from('12345678901234567890'));

test('base32 encodes and decodes the examples of RFC 4648', () => {
  const examples = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];

  for (const [length, text] of examples.entries()) {
    assert.equal(toBase32(Buffer.from('foobar'.slice(0, length))), text);
    assert.equal(Buffer.from(fromBase32(text)).toString(), 'foobar'.slice(0, length));
  }
  assert.throws(() => fromBase32('abc1'));
});

test('the codes match RFC 4226, appendix D', () => {
  const codes = [755224, 287082, 359152, 969429, 338314, 254676, 287922, 162583, 399871, 520489];

  assert.deepEqual(
    codes.map((_, counter) => codeOfStep(secret, counter)),
    codes.map(String),
  );
});

test('the codes are the last six digits of those in RFC 6238, appendix B', () => {
  const examples: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];

  assert.deepEqual(
    examples.map(([time]) => codeOfStep(secret, stepAt(time))),
    examples.map(([, code]) => code.slice(2)),
  );
});

test('a code is valid in its own time step, the one before and the one after', () => {
  const now = 1_800_000_000;
  const seen = [-2, -1, 0, 1, 2].map((steps) =>
    stepOfCode(secret, codeOfStep(secret, stepAt(now)), now + steps * 30),
  );

  assert.deepEqual(seen, [undefined, stepAt(now), stepAt(now), stepAt(now), undefined]);
});

test('text that is not six digits is rejected', () => {
  const now = 1_800_000_000;
  const code = codeOfStep(secret, stepAt(now));

  for (const wrong of ['', code.slice(1), `${code}0`, ` ${code}`, '۱۲۳۴۵۶', 'abcdef'])
    assert.equal(stepOfCode(secret, wrong, now), undefined);
});

test('a new secret has 160 bits', () => {
  const made = newTotpSecret((count) => new Uint8Array(count).fill(255));

  assert.deepEqual(fromBase32(made), new Uint8Array(20).fill(255));
});

test('the address for the app escapes names and e-mail addresses', () => {
  assert.equal(
    totpUrl('ABC', { issuer: 'Help: & Co', email: 'ann+1@example.com' }),
    'otpauth://totp/Help%20%20%26%20Co:ann%2B1%40example.com?secret=ABC&issuer=Help%20%20%26%20Co&algorithm=SHA1&digits=6&period=30',
  );
});
