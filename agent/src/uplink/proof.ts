/** The device's answer to the server's challenge, given only to a server that has proved its identity. */
import type { Facts, Fingerprint } from '@drawbridge/contract/uplink/facts';
import {
  agentStatement,
  serverStatement,
  type DownMessage,
  type UpMessage,
} from '@drawbridge/contract/uplink/messages';
import { isValidSignature, signWith } from './keys.ts';
import type { CertificateCheck } from './trust.ts';

/** The identity of the device, and what it knows about its server. */
export interface Credentials {
  publicKey: string;
  privateKey: string;
  epoch: string;
  /** The secret part of a token, until the device has joined. */
  token: string;
  serverKey: string;
  certificate: string;
}

interface ProofInput {
  nonce: string;
  certificateCheck: CertificateCheck;
  options: { credentials: Credentials; facts: Facts; fingerprint: Fingerprint };
}

export function proofFor(
  challenge: Extract<DownMessage, { kind: 'challenge' }>,
  { nonce, certificateCheck, options }: ProofInput,
): Extract<UpMessage, { kind: 'proof' }> | { refused: string } {
  const { credentials, facts, fingerprint } = options;
  const { publicKey: agentKey, privateKey, serverKey } = credentials;
  const { nonce: serverNonce, key, certificate, signature } = challenge;
  if (serverKey !== '' && serverKey !== key) return { refused: 'a different server answers at this address' };
  if (
    !isValidSignature(
      key,
      serverStatement({ serverNonce, agentNonce: nonce, agentKey, certificate }),
      signature,
    )
  )
    return { refused: 'the server cannot prove its identity' };
  if (certificateCheck.trusted !== 'yes' && certificate !== certificateCheck.shown)
    return {
      refused:
        'the certificate is not the one that the server uses: someone may be intercepting the connection',
    };
  const statement = agentStatement({ serverNonce, agentNonce: nonce, serverKey: key });
  return { kind: 'proof', signature: signWith(privateKey, statement), facts, fingerprint };
}
