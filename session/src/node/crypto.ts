/** The cryptography of a session with Node's own functions, without waiting where Node does not wait. */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { Bytes } from '@drawbridge/contract/session/binary';
import { tagBytes } from '@drawbridge/contract/session/handshake';
import { releaseMemory } from './release-memory.ts';
import type { FrameKey, SecretKey, SessionCrypto, SessionKeyPair, SigningKey } from '../ports.ts';

const cipher = 'aes-256-gcm';
const options = { authTagLength: tagBytes };

const publicKeyOf = (crv: 'Ed25519' | 'X25519', x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv, x } });

const toSecret = (bytes: Uint8Array): SecretKey => ({
  derive: (salt, info, length) => new Uint8Array(hkdfSync('sha256', bytes, salt, info, length)),
});

const toFrameKey = (bytes: Bytes): FrameKey => ({
  ...toSecret(bytes),
  seal(nonce, kindByte, ...payload) {
    const head = Buffer.from([kindByte]);
    const sealing = createCipheriv(cipher, bytes, nonce, options);
    sealing.setAAD(head);
    const sealed = payload.map((part) => sealing.update(part));
    const frame = Buffer.concat([head, ...sealed, sealing.final(), sealing.getAuthTag()]);
    sealed.forEach(releaseMemory);
    return frame;
  },
  open(nonce, frame) {
    const opening = createDecipheriv(cipher, bytes, nonce, options);
    opening.setAAD(frame.subarray(0, 1));
    opening.setAuthTag(frame.subarray(frame.length - tagBytes));
    try {
      const payload = opening.update(frame.subarray(1, frame.length - tagBytes));
      opening.final();
      return payload;
    } catch {
      return undefined;
    }
  },
});

/** A key pair of which the private key is known. */
export const keyPairOf = (publicKey: string, privateKey: KeyObject): SessionKeyPair => ({
  publicKey,
  async agree(other) {
    try {
      return toSecret(diffieHellman({ privateKey, publicKey: publicKeyOf('X25519', other) }));
    } catch {
      return undefined;
    }
  },
});

/** As `nodeCrypto.createKeyPair`, at once. */
export function createKeyPair(): SessionKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return keyPairOf(publicKey.export({ format: 'jwk' }).x!, privateKey);
}

export const nodeCrypto: SessionCrypto = {
  createKeyPair: async () => createKeyPair(),
  async verify(publicKey, signature, message) {
    try {
      return verify(null, message, publicKeyOf('Ed25519', publicKey), signature);
    } catch {
      return false;
    }
  },
  sha256: async (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  importFrameKey: toFrameKey,
};

/** `privateKey`: the device's Ed25519 key in PEM. */
export const signingKeyOf = (publicKey: string, privateKey: string): SigningKey => ({
  publicKey,
  sign: (message) => sign(null, message, createPrivateKey(privateKey)),
});
