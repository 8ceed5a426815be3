/** Opens the chunks of a recording with an independent implementation of the cryptography. */
import assert from 'node:assert/strict';
import type { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { nonceOf } from '@drawbridge/contract/session/handshake';
import { chunkContext, recordingInfo } from '@drawbridge/contract/session/recording';
import { fromBase64url, toBase64url } from '@drawbridge/contract/session/signed';
import { createChunkSeal } from './seal.ts';

const { subtle } = globalThis.crypto;
const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await subtle.digest('SHA-256', Uint8Array.from(bytes)));
const textOf = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);

/** The owner of the account's key, implemented with WebCrypto. */
async function openAccount() {
  const pair = (await subtle.generateKey('X25519', true, ['deriveBits'])) as webcrypto.CryptoKeyPair;
  const publicKey = toBase64url(new Uint8Array(await subtle.exportKey('raw', pair.publicKey)));
  const keyOf = async (recordingKey: string): Promise<CryptoKey> => {
    const other = await subtle.importKey('raw', fromBase64url(recordingKey), 'X25519', true, []);
    const shared = await subtle.deriveBits({ name: 'X25519', public: other }, pair.privateKey, 256);
    const salt = await sha256(Buffer.concat([fromBase64url(recordingKey), fromBase64url(publicKey)]));
    const how = { name: 'HKDF', hash: 'SHA-256', salt: Uint8Array.from(salt), info: recordingInfo };
    const secret = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
    return subtle.deriveKey(how, secret, { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
  };
  return { publicKey, keyOf };
}

type Place = Parameters<typeof chunkContext>[0];

const open = (key: CryptoKey, place: Place, sealed: Uint8Array): Promise<ArrayBuffer> =>
  subtle.decrypt(
    { name: 'AES-GCM', iv: nonceOf(place.number), additionalData: chunkContext(place) },
    key,
    Uint8Array.from(sealed),
  );

test('an independent implementation opens the chunks that the device seals with the account’s key', async () => {
  const account = await openAccount();
  const seal = createChunkSeal(7, account.publicKey);
  const [first, second] = [seal.close(Buffer.from('one'), false), seal.close(Buffer.from('two'), true)];
  const before = toBase64url(await sha256(first));

  const key = await account.keyOf(seal.publicKey);

  const places = [
    { session: 7, number: 0, before: '', last: false },
    { session: 7, number: 1, before, last: true },
  ] as const;
  assert.equal(textOf(await open(key, places[0], first)), 'one');
  assert.equal(textOf(await open(key, places[1], second)), 'two');
  for (const wrong of [{ before: '' }, { number: 0 }, { session: 8 }, { last: false }])
    await assert.rejects(open(key, { ...places[1], ...wrong }, second), JSON.stringify(wrong));
  second[0]! ^= 1;
  await assert.rejects(open(key, places[1], second));
});

test('two recordings of one account have different keys, and no other account can open them', async () => {
  const [account, other] = [await openAccount(), await openAccount()];
  const [one, two] = [createChunkSeal(7, account.publicKey), createChunkSeal(7, account.publicKey)];
  const sealed = one.close(Buffer.from('one'), false);
  const place = { session: 7, number: 0, before: '', last: false };

  assert.notEqual(one.publicKey, two.publicKey);
  await assert.rejects(open(await account.keyOf(two.publicKey), place, sealed));
  await assert.rejects(open(await other.keyOf(one.publicKey), place, sealed));
});
