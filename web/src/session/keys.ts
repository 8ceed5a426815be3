/** What WebCrypto does for a session: its keys, signatures and hashes. No private key and no secret can be read back out. */
import { fromBase64url, toBase64url } from '@drawbridge/contract/session/signed';

export type BufferBytes = Uint8Array<ArrayBuffer>;

/** An X25519 key made for one session. */
export interface SessionKeyPair {
  publicKey: string;
  privateKey: CryptoKey;
}

/** An Ed25519 key by which a device is known; the client's browser makes one for each invitation. */
export interface DeviceKeyPair {
  publicKey: string;
  privateKey: CryptoKey;
}

interface Pair {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

/** Types differ from one world to the other in whether one key or two are made. */
const toPair = (pair: unknown): Pair => pair as Pair;

const exportRaw = async (key: CryptoKey): Promise<string> =>
  toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', key)));

/** Keys of the kinds a session needs came to browsers in 2023 to 2025. */
export async function isCryptoSupported(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey('X25519', false, ['deriveKey']);
    await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
    return 'fromBase64' in Uint8Array;
  } catch {
    return false;
  }
}

export async function createSessionKeyPair(): Promise<SessionKeyPair> {
  const pair = toPair(await crypto.subtle.generateKey('X25519', false, ['deriveKey']));
  return { publicKey: await exportRaw(pair.publicKey), privateKey: pair.privateKey };
}

export async function createDeviceKeyPair(): Promise<DeviceKeyPair> {
  const pair = toPair(await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']));
  return { publicKey: await exportRaw(pair.publicKey), privateKey: pair.privateKey };
}

export async function sign(key: DeviceKeyPair, message: BufferBytes): Promise<string> {
  return toBase64url(new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, message)));
}

/** False also for what is no key at all. */
export async function verifySignature(
  publicKey: string,
  signature: BufferBytes,
  message: BufferBytes,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', fromBase64url(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, message);
  } catch {
    return false;
  }
}

/** What the holders of two keys have in common, to derive from; undefined when the other is no key, or one that yields nothing. */
export async function deriveSharedSecret(own: SessionKeyPair, other: string): Promise<CryptoKey | undefined> {
  try {
    const key = await crypto.subtle.importKey('raw', fromBase64url(other), 'X25519', false, []);
    const algorithm = { name: 'X25519', public: key };
    return await crypto.subtle.deriveKey(algorithm, own.privateKey, 'HKDF', false, ['deriveBits']);
  } catch {
    return undefined;
  }
}

export const sha256 = async (bytes: BufferBytes): Promise<BufferBytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** HKDF-SHA-256. */
export async function derive(
  from: CryptoKey,
  salt: BufferBytes,
  info: BufferBytes,
  length: number,
): Promise<BufferBytes> {
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, from, 8 * length));
}
