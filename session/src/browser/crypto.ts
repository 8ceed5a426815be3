/** The cryptography of a session with WebCrypto. Private keys and secrets cannot be exported. */
import type { Bytes } from '@drawbridge/contract/session/binary';
import { fromBase64url, toBase64url } from '@drawbridge/contract/session/signed';
import type { FrameKey, SecretKey, SessionCrypto, SessionKeyPair, SigningKey } from '../ports.ts';

interface Pair {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

/** Type definitions differ in whether one key or two are created. */
const toPair = (created: unknown): Pair => created as Pair;

const exportRaw = async (key: CryptoKey): Promise<string> =>
  toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', key)));

/** Browsers support the key types of a session since 2023 to 2025. */
export async function isCryptoSupported(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey('X25519', false, ['deriveKey']);
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    return 'fromBase64' in Uint8Array;
  } catch {
    return false;
  }
}

const toSecret = (root: CryptoKey): SecretKey => ({
  async derive(salt, info, length) {
    const params = { name: 'HKDF', hash: 'SHA-256', salt, info };
    return new Uint8Array(await crypto.subtle.deriveBits(params, root, 8 * length));
  },
});

const paramsOf = (nonce: Bytes, kindByte: number) => ({
  name: 'AES-GCM',
  iv: nonce,
  additionalData: Uint8Array.of(kindByte),
});

/** WebCrypto takes no parts. */
function joined(parts: readonly Uint8Array[]): Bytes {
  if (parts.length === 1) return parts[0] as Bytes;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Clears the bytes it was given. */
async function importFrameKey(bytes: Bytes): Promise<FrameKey> {
  const importing = crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']);
  const key = await importing;
  bytes.fill(0);
  return {
    ...toSecret(root),
    async seal(nonce, kindByte, ...payload) {
      const sealed = await crypto.subtle.encrypt(paramsOf(nonce, kindByte), key, joined(payload));
      const frame = new Uint8Array(1 + sealed.byteLength);
      frame[0] = kindByte;
      frame.set(new Uint8Array(sealed), 1);
      return frame;
    },
    async open(nonce, frame) {
      const params = paramsOf(nonce, frame[0] ?? 0);
      try {
        return new Uint8Array(await crypto.subtle.decrypt(params, key, frame.subarray(1) as Bytes));
      } catch {
        return undefined;
      }
    },
  };
}

async function createKeyPair(): Promise<SessionKeyPair> {
  const pair = toPair(await crypto.subtle.generateKey('X25519', false, ['deriveKey']));
  return {
    publicKey: await exportRaw(pair.publicKey),
    async agree(other) {
      try {
        const key = await crypto.subtle.importKey('raw', fromBase64url(other), 'X25519', false, []);
        const params = { name: 'X25519', public: key };
        const usages: KeyUsage[] = ['deriveBits'];
        return toSecret(await crypto.subtle.deriveKey(params, pair.privateKey, 'HKDF', false, usages));
      } catch {
        return undefined;
      }
    },
  };
}

/** The key of a client in a browser, created for one invitation. IndexedDB can store it: it has no functions. */
export interface SigningKeyPair {
  readonly publicKey: string;
  readonly privateKey: CryptoKey;
}

export async function createSigningKeyPair(): Promise<SigningKeyPair> {
  const { publicKey, privateKey } = toPair(
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']),
  );
  return { publicKey: await exportRaw(publicKey), privateKey };
}

export const signingKeyOf = ({ publicKey, privateKey }: SigningKeyPair): SigningKey => ({
  publicKey,
  sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, message)),
});

export const browserCrypto: SessionCrypto = {
  createKeyPair,
  async verify(publicKey, signature, message) {
    try {
      const raw = fromBase64url(publicKey);
      const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
      return await crypto.subtle.verify('Ed25519', key, signature, message);
    } catch {
      return false;
    }
  },
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  importFrameKey,
};
