/** The device's own key pair. The private key is created on the device and never leaves it. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';

export interface DeviceKey {
  publicKey: string;
  /** PKCS#8 in PEM, for the state file. */
  privateKey: string;
}

export function createDeviceKey(): DeviceKey {
  const pair = generateKeyPairSync('ed25519');
  return {
    publicKey: pair.publicKey.export({ format: 'jwk' }).x!,
    privateKey: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }),
  };
}

export const signWith = (privateKey: string, statement: string): string =>
  sign(null, Buffer.from(statement), createPrivateKey(privateKey)).toString('base64url');

export function isValidSignature(publicKey: string, statement: string, signature: string): boolean {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
  return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64url'));
}

export const newNonce = (): string => randomBytes(32).toString('base64url');
