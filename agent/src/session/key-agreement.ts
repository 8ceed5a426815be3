/** How device and operator come to the same keys: the device answers a grant, the operator believes the answer or not. */
import {
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
import {
  codeBytes,
  sealKeyBytes,
  hkdfLabels,
  readableCode,
  transcript,
} from '@drawbridge/contract/session/handshake';
import { fromBase64url } from '@drawbridge/contract/session/signed';
import type { SessionMessage } from '@drawbridge/contract/session/messages';
import type { SessionKeys } from './seal.ts';

/** An X25519 pair made for one session. */
export interface SessionKey {
  publicKey: string;
  privateKey: KeyObject;
}

export interface KeyAgreement {
  keys: SessionKeys;
  /** The code both sides can show, to see that nobody stands between them. */
  code: string;
}

export function createSessionKey(): SessionKey {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x!, privateKey };
}

/** The device's side: what it says, and the keys of the session. */
export function answerGrant(offer: {
  /** The signed grant as it came. */
  grant: string;
  operatorKey: string;
  /** The device's own Ed25519 key in PEM. */
  devicePrivateKey: string;
  sessionKey: SessionKey;
}): KeyAgreement & { hello: SessionMessage<'hello'> } {
  const { grant, operatorKey, sessionKey } = offer;
  const text = transcript({ grantHash: hashOf(grant), operatorKey, deviceKey: sessionKey.publicKey });
  const signature = sign(null, text, createPrivateKey(offer.devicePrivateKey)).toString('base64url');
  const { operator, device, code } = derive(sharedSecret(sessionKey.privateKey, operatorKey), text);
  return {
    hello: { grant, key: sessionKey.publicKey, signature },
    keys: { send: device, receive: operator },
    code,
  };
}

/** The operator's side: the keys, or undefined when it was not this device that answered this operator. */
export function verifyHello(
  { grant, key, signature }: SessionMessage<'hello'>,
  expected: {
    /** The Ed25519 key of the device. */
    deviceKey: string;
    sessionKey: SessionKey;
  },
): KeyAgreement | undefined {
  const { publicKey: operatorKey, privateKey } = expected.sessionKey;
  const text = transcript({ grantHash: hashOf(grant), operatorKey, deviceKey: key });
  if (!verify(null, text, publicKeyOf('Ed25519', expected.deviceKey), fromBase64url(signature)))
    return undefined;
  const { operator, device, code } = derive(sharedSecret(privateKey, key), text);
  return { keys: { send: operator, receive: device }, code };
}

const hashOf = (grant: string): string => createHash('sha256').update(grant).digest('base64url');

const publicKeyOf = (crv: 'Ed25519' | 'X25519', x: string): KeyObject =>
  createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv, x } });

/** Throws for a key with which everybody shares the same secret. */
const sharedSecret = (privateKey: KeyObject, other: string): Buffer =>
  diffieHellman({ privateKey, publicKey: publicKeyOf('X25519', other) });

function derive(secret: Uint8Array, text: Uint8Array): { operator: Buffer; device: Buffer; code: string } {
  const salt = createHash('sha256').update(text).digest();
  const both = Buffer.from(hkdfSync('sha256', secret, salt, hkdfLabels.keys, 2 * sealKeyBytes));
  const code = new Uint8Array(hkdfSync('sha256', secret, salt, hkdfLabels.code, codeBytes));
  return {
    operator: both.subarray(0, sealKeyBytes),
    device: both.subarray(sealKeyBytes),
    code: readableCode(code),
  };
}
