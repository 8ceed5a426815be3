/** Signed requests of ACME (RFC 8555): JSON Web Signatures with ES256, and HS256 for external accounts. */
import { createHash, createHmac, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** Who signs: a key that the authority does not know yet, or the account that it has for the key. */
export interface AcmeSigner {
  key: KeyObject;
  account: string | undefined;
}

/** The binding to an account that exists at the authority by other means. The secret must never be logged. */
export interface ExternalAccount {
  keyId: string;
  /** base64url */
  secret: string;
}

const encode = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** The members in the order in which the thumbprint needs them (RFC 7638). */
function publicJwk(key: KeyObject): Record<string, string> {
  const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' });
  return { crv: crv!, kty: kty!, x: x!, y: y! };
}

/** A payload of undefined asks for a resource (POST-as-GET). */
export function signedBody(
  { key, account }: AcmeSigner,
  { url, nonce, payload }: { url: string; nonce: string; payload: object | undefined },
): string {
  const who = account === undefined ? { jwk: publicJwk(key) } : { kid: account };
  const header = encode({ alg: 'ES256', ...who, nonce, url });
  const body = payload === undefined ? '' : encode(payload);
  const signature = sign('sha256', Buffer.from(`${header}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return JSON.stringify({ protected: header, payload: body, signature: signature.toString('base64url') });
}

/** The proof that the holder of the external account wants this key to belong to it. */
export function externalBinding(key: KeyObject, { keyId, secret }: ExternalAccount, url: string): object {
  const header = encode({ alg: 'HS256', kid: keyId, url });
  const payload = encode(publicJwk(key));
  const mac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${header}.${payload}`);
  return { protected: header, payload, signature: mac.digest('base64url') };
}

/** What a challenge must answer, so that only the holder of the key can have set it up. */
export function keyAuthorization(key: KeyObject, token: string): string {
  const thumbprint = createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url');
  return `${token}.${thumbprint}`;
}
