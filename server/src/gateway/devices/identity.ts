/** The key by which devices recognise the server: created once, kept in the store, the same on every node. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import type { Store } from '../../store/store.ts';

export interface Identity {
  publicKey: string;
  sign(statement: string): string;
}

const rawPublic = (key: KeyObject): string => key.export({ format: 'jwk' }).x!;

export async function loadIdentity(store: Pick<Store, 'change'>): Promise<Identity> {
  const fresh = generateKeyPairSync('ed25519');
  const { privateKey, publicKey } = await store.change('server/identity', {
    privateKey: fresh.privateKey.export({ format: 'pem', type: 'pkcs8' }),
    publicKey: rawPublic(fresh.publicKey),
  });
  const key = createPrivateKey(privateKey);
  return { publicKey, sign: (statement) => sign(null, Buffer.from(statement), key).toString('base64url') };
}

/** Whether the holder of the public key signed the statement. */
export function isSignedBy(publicKey: string, statement: string, signature: string): boolean {
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: publicKey } });
  return verify(null, Buffer.from(statement), key, Buffer.from(signature, 'base64url'));
}
