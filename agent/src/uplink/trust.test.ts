/** Which certificates a device believes, and on what condition. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { checkCertificate } from './trust.ts';

const raw = Buffer.from('a certificate');
const print = createHash('sha256').update(raw).digest('base64url');
const showing = (authorized: boolean, bytes: Buffer | undefined = raw): TLSSocket =>
  ({ authorized, getPeerX509Certificate: () => bytes && { raw: bytes } }) as unknown as TLSSocket;

test('a certificate is believed that everybody trusts, or that the token names', () => {
  assert.equal(checkCertificate(showing(true), { certificate: '', serverKey: '' }).trusted, 'yes');
  assert.equal(checkCertificate(showing(false), { certificate: print, serverKey: '' }).trusted, 'yes');
});

test('any other is not, before the server is known', () => {
  assert.equal(checkCertificate(showing(false), { certificate: '', serverKey: '' }).trusted, 'no');
  assert.equal(checkCertificate(showing(false), { certificate: 'another', serverKey: '' }).trusted, 'no');
});

test('once the server is known, any other counts if the server signs for it', () => {
  const certificateCheck = checkCertificate(showing(false), { certificate: 'another', serverKey: 'known' });

  assert.deepEqual(certificateCheck, { shown: print, believed: 'if_signed' });
});

test('without a certificate nothing is believed', () => {
  const bare = { authorized: true, getPeerX509Certificate: () => undefined } as unknown as TLSSocket;

  assert.equal(checkCertificate(bare, { certificate: '', serverKey: 'known' }).trusted, 'no');
});
