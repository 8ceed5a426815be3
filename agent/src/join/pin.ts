/** Which certificate of a server to believe when its address came with a fingerprint. */
import { createHash, type X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** What the right certificate is known by: its own SHA-256 or that of its public key, base64url. */
export interface Pin {
  of: 'certificate' | 'key';
  sha256: string;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/** A fingerprint as the server prints it (hexadecimal), as enrolment tokens carry it (base64url), or of the key as curl takes it. */
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

/** SHA-256 of the certificate that is shown, if it may be believed: the one that was named, or one that everybody trusts. */
export function trustedCertificate(socket: TLSSocket, pin: Pin | undefined): string | undefined {
  const certificate = socket.getPeerX509Certificate?.();
  if (!certificate) return undefined;
  const shown = sha256(certificate.raw);
  if (!pin) return socket.authorized ? shown : undefined;
  return pin.sha256 === (pin.of === 'key' ? keyOf(certificate) : shown) ? shown : undefined;
}
