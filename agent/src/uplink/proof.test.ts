/** Tests of how a device answers a challenge, and which servers get no answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentStatement, serverStatement } from '@drawbridge/contract/uplink/messages';
import { createDeviceKey, isValidSignature, newNonce, signWith } from './keys.ts';
import { proofFor } from './proof.ts';
import type { CertificateCheck } from './trust.ts';

const [server, device] = [createDeviceKey(), createDeviceKey()];
const [nonce, serverNonce] = [newNonce(), newNonce()];
const trusted: CertificateCheck = { shown: 'shown', trusted: 'yes' };
const renewed: CertificateCheck = { shown: 'shown', trusted: 'if_signed' };
const options = (serverKey: string) => ({
  credentials: { ...device, epoch: '', token: '', serverKey, certificate: '' },
  facts: {} as never,
  fingerprint: {} as never,
});

/** The server's challenge; parameters replace fields after it was signed. */
const challenge = (some: object = {}, key = server, certificate = 'shown') => ({
  kind: 'challenge' as const,
  nonce: serverNonce,
  key: key.publicKey,
  certificate,
  signature: signWith(
    key.privateKey,
    serverStatement({ serverNonce, agentNonce: nonce, agentKey: device.publicKey, certificate }),
  ),
  ...some,
});
const problemOf = (answer: ReturnType<typeof proofFor>): string =>
  'refused' in answer ? answer.refused : '';

test('the known server gets a signature that is valid only for it', () => {
  const answer = proofFor(challenge(), {
    nonce,
    certificateCheck: trusted,
    options: options(server.publicKey),
  });

  assert.ok('signature' in answer);
  const said = { serverNonce, agentNonce: nonce, serverKey: server.publicKey };
  assert.ok(isValidSignature(device.publicKey, agentStatement(said), answer.signature));
  assert.ok(
    !isValidSignature(
      device.publicKey,
      agentStatement({ ...said, serverKey: device.publicKey }),
      answer.signature,
    ),
  );
});

test('another server gets no answer, whatever certificate it shows', () => {
  const answer = proofFor(challenge({}, createDeviceKey()), {
    nonce,
    certificateCheck: trusted,
    options: options(server.publicKey),
  });

  assert.match(problemOf(answer), /different server/);
});

test('a signature over anything but this connection is not a proof', () => {
  for (const some of [
    { nonce: newNonce() },
    { certificate: 'other' },
    { signature: 'A'.repeat(86) },
    { signature: signWith(server.privateKey, 'something else') },
  ])
    assert.match(
      problemOf(proofFor(challenge(some), { nonce, certificateCheck: trusted, options: options('') })),
      /cannot prove/,
    );
  const other = { nonce: newNonce(), certificateCheck: trusted, options: options('') };
  assert.match(problemOf(proofFor(challenge(), other)), /cannot prove/);
});

test('an unknown certificate is accepted only if the server has signed it', () => {
  const circumstances = { nonce, certificateCheck: renewed, options: options(server.publicKey) };

  assert.ok('signature' in proofFor(challenge(), circumstances));
  assert.match(
    problemOf(proofFor(challenge({}, server, 'another'), circumstances)),
    /intercepting the connection/,
  );
  assert.match(problemOf(proofFor(challenge({}, server, ''), circumstances)), /intercepting the connection/);
});
