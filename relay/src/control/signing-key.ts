/** The Ed25519 keys with which a relay and its servers recognise each other. */
import { createPublicKey, verify } from 'node:crypto';

export interface ControlKey {
  /** In base64url. */
  publicKey: string;
  /** In base64url. */
  sign(statement: string): string;
}

/** Whether the holder of the public key signed the statement. */
export function isControlSignature(publicKey: string, statement: string, signature: string): boolean {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
  return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64url'));
}
