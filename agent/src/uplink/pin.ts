/** Pins the certificate of a server by a fingerprint. */
import { createHash, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** How curl writes the fingerprint of a public key. */
const keyPrefix = 'sha256//';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/**
 * Parses a fingerprint as the server prints it (hexadecimal), as enrolment tokens contain it (base64url), or as curl pins a
 * key (`sha256//…`). Returns the last two formats.
 */
export function readPin(text: string): string | undefined {
  if (/^sha256\/\/[A-Za-z0-9+/]{43}=$/.test(text)) return text;
  const hex = text.replaceAll(':', '');
  if (/^[0-9a-f]{64}$/i.test(hex)) return Buffer.from(hex, 'hex').toString('base64url');
  return /^[\w-]{43}$/.test(text) ? text : undefined;
}

const knownCertificates = new WeakMap<TLSSocket, X509Certificate>();

/** The certificate of the other side. It is remembered, because Node 26.7 for Windows returned it only once under Wine. */
export function peerCertificate(socket: TLSSocket): X509Certificate | undefined {
  const certificate = knownCertificates.get(socket) ?? socket.getPeerX509Certificate?.();
  if (certificate) knownCertificates.set(socket, certificate);
  return certificate;
}

/** SHA-256 of the certificate, base64url. */
export const certificateHash = ({ raw }: X509Certificate): string => sha256(raw).toString('base64url');

export const matchesPin = (certificate: X509Certificate, pin: string): boolean =>
  pin.startsWith(keyPrefix)
    ? pin ===
      `${keyPrefix}${sha256(certificate.publicKey.export({ type: 'spki', format: 'der' })).toString('base64')}`
    : pin === certificateHash(certificate);

/** Returns the SHA-256 of the server's certificate if it matches the pin or, without a pin, if a trusted authority signed it. */
export function trustedCertificate(socket: TLSSocket, pin: string | undefined): string | undefined {
  const certificate = peerCertificate(socket);
  const isTrusted = certificate && (pin === undefined ? socket.authorized : matchesPin(certificate, pin));
  return isTrusted ? certificateHash(certificate) : undefined;
}
