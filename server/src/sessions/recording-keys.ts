/** The keys of recordings: the X25519 key pair of an account, and the key of one recording that is derived with it. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { recordingInfo } from '@drawbridge/contract/session/recording';
import type { RecordingKeys } from '../store/records.ts';

const curve = { kty: 'OKP', crv: 'X25519' } as const;

export function createRecordingKeys(): RecordingKeys {
  const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return { privateKey: d!, publicKey: x! };
}

/** The key with which the chunks of a recording are sealed, base64url; undefined when its public key is not valid. */
export function deriveRecordingKey(keys: RecordingKeys, recordingKey: string): string | undefined {
  try {
    const own = { ...curve, d: keys.privateKey, x: keys.publicKey };
    const shared = diffieHellman({
      privateKey: createPrivateKey({ format: 'jwk', key: own }),
      publicKey: createPublicKey({ format: 'jwk', key: { ...curve, x: recordingKey } }),
    });
    const salt = createHash('sha256')
      .update(Buffer.from(recordingKey, 'base64url'))
      .update(Buffer.from(keys.publicKey, 'base64url'))
      .digest();
    return Buffer.from(hkdfSync('sha256', shared, salt, recordingInfo, 32)).toString('base64url');
  } catch {
    return undefined;
  }
}
