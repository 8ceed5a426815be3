/** Tests of which certificates a device trusts, and on which condition. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { checkCertificate, isTrustedCertificate } from './trust.ts';

const raw = Buffer.from('a certificate');
const print = createHash('sha256').update(raw).digest('base64url');
const showing = (authorized: boolean, bytes: Buffer | undefined = raw): TLSSocket =>
  ({ authorized, getPeerX509Certificate: () => bytes && { raw: bytes } }) as unknown as TLSSocket;

test('a certificate is trusted if a public authority signed it or the token names it', () => {
  assert.equal(checkCertificate(showing(true), { certificate: '', serverKey: '' }).trusted, 'yes');
  assert.equal(checkCertificate(showing(false), { certificate: print, serverKey: '' }).trusted, 'yes');
});

test('any other certificate is not trusted before the server is known', () => {
  assert.equal(checkCertificate(showing(false), { certificate: '', serverKey: '' }).trusted, 'no');
  assert.equal(checkCertificate(showing(false), { certificate: 'another', serverKey: '' }).trusted, 'no');
});

test('once the server is known, any other certificate is trusted if the server signs it', () => {
  const certificateCheck = checkCertificate(showing(false), { certificate: 'another', serverKey: 'known' });

  assert.deepEqual(certificateCheck, { shown: print, trusted: 'if_signed' });
});

test('a connection without a certificate is not trusted', () => {
  const bare = { authorized: true, getPeerX509Certificate: () => undefined } as unknown as TLSSocket;

  assert.equal(checkCertificate(bare, { certificate: '', serverKey: 'known' }).trusted, 'no');
});

test('a certificate that the runtime returns only once is compared with all that are expected', () => {
  const returned = [{ raw }];
  const socket = { authorized: false, getPeerX509Certificate: () => returned.pop() } as unknown as TLSSocket;

  assert.equal(isTrustedCertificate(socket, ['another']), false);
  assert.equal(isTrustedCertificate(socket, ['another', print]), true);
});
