/** Seals the chunks of a recording in order, for the owner of the account's recording key. */
import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto';
import { nonceOf } from '@drawbridge/contract/session/handshake';
import { chunkContext, recordingInfo } from '@drawbridge/contract/session/recording';
import { fromBase64url } from '@drawbridge/contract/session/signed';

export interface ChunkSeal {
  /** The public key of this recording. It opens the chunks together with the account's private key. */
  publicKey: string;
  close(content: Uint8Array, last: boolean): Buffer;
}

export function createChunkSeal(session: number, accountKey: string): ChunkSeal {
  const own = generateKeyPairSync('x25519');
  const publicKey = own.publicKey.export({ format: 'jwk' }).x!;
  const other = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: accountKey } });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey: other });
  const salt = createHash('sha256')
    .update(fromBase64url(publicKey))
    .update(fromBase64url(accountKey))
    .digest();
  const key = Buffer.from(hkdfSync('sha256', shared, salt, recordingInfo, 32));
  let number = 0;
  let before = '';
  return {
    publicKey,
    close(content, last) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number));
      cipher.setAAD(chunkContext({ session, number, before, last }));
      const sealed = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
      before = createHash('sha256').update(sealed).digest('base64url');
      number += 1;
      return sealed;
    },
  };
}
