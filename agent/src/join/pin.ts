/** Pins the certificate of a server by a fingerprint. */
import { createHash, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** The SHA-256 of the expected certificate or of its public key, base64url. */
export interface Pin {
  of: 'certificate' | 'key';
  sha256: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/** Parses a fingerprint as the server prints it (hexadecimal), as enrolment tokens contain it (base64url), or as curl pins a key. */
export function readPin(text: string): Pin | undefined {
  const [, key] = /^sha256\/\/([A-Za-z0-9+/]{43})=$/.exec(text) ?? [];
  if (key !== undefined) return { of: 'key', sha256: Buffer.from(key, 'base64').toString('base64url') };
  const hex = text.replaceAll(':', '');
  if (/^[0-9a-f]{64}$/i.test(hex))
    return { of: 'certificate', sha256: Buffer.from(hex, 'hex').toString('base64url') };
  return /^[\w-]{43}$/.test(text) ? { of: 'certificate', sha256: text } : undefined;
}

const keyOf = (certificate: X509Certificate): string =>
  sha256(certificate.publicKey.export({ type: 'spki', format: 'der' }));

/** Returns the SHA-256 of the server's certificate if it matches the pin or, without a pin, if a trusted authority signed it. */
export function trustedCertificate(socket: TLSSocket, pin: Pin | undefined): string | undefined {
  const certificate = socket.getPeerX509Certificate?.();
  if (!certificate) return undefined;
  const shown = sha256(certificate.raw);
  if (!pin) return socket.authorized ? shown : undefined;
  return pin.sha256 === (pin.of === 'key' ? keyOf(certificate) : shown) ? shown : undefined;
}
