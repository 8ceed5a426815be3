/** Hashes of a certificate, by which a client elsewhere recognises it. */
import { createHash, X509Certificate } from 'node:crypto';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** A cache of one: the fingerprint is needed for every device that connects, and parsing a certificate is the most expensive part of that. */
let last = { cert: '', fingerprint: '' };

/** SHA-256 of the whole certificate, base64url: what enrolment tokens carry. */
export function fingerprintOf(cert: string): string {
  if (last.cert !== cert)
    last = { cert, fingerprint: sha256(new X509Certificate(cert).raw).toString('base64url') };
  return last.fingerprint;
}

/** SHA-256 of its public key, base64: what curl's --pinnedpubkey expects. */
export const keyPinOf = (cert: string): string =>
  sha256(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })).toString('base64');

/** Whether no authority has issued the certificate, so that only its hashes tell whether it is the right one. */
export function isSelfSigned(cert: string): boolean {
  const parsed = new X509Certificate(cert);
  return parsed.verify(parsed.publicKey);
}
