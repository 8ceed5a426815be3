/** Decides whether the certificate of a server is trusted, and on which condition. */
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { splitCertificates } from './given-trust.ts';
import { certificateHash, matchesPin, peerCertificate } from './pin.ts';

/** What the device already knows about its server. */
export interface KnownServer {
  /** The pin of the expected certificate; empty if a trusted authority signed it. */
  certificate: string;
  /** The server's own key; empty before the first connection. */
  serverKey: string;
}

export interface CertificateCheck {
  /** SHA-256 of the certificate that was shown. */
  shown: string;
  /**
   * `yes`: a trusted authority signed it, or it is the expected one. `if_signed`: it was renewed, and is trusted once the
   * server has signed it with its own key. `no`: the agent sends nothing to this server.
   */
  trusted: 'yes' | 'if_signed' | 'no';
}

export function checkCertificate(
  socket: TLSSocket,
  { certificate, serverKey }: KnownServer,
): CertificateCheck {
  const peer = peerCertificate(socket);
  if (!peer) return { shown: '', trusted: 'no' };
  const shown = certificateHash(peer);
  if (socket.authorized || matchesPin(peer, certificate)) return { shown, trusted: 'yes' };
  return { shown, trusted: serverKey === '' ? 'no' : 'if_signed' };
}

/** Whether a trusted authority signed the certificate, or it is one of these. */
export const isTrustedCertificate = (socket: TLSSocket, certificates: readonly string[]): boolean =>
  ['', ...certificates].some(
    (certificate) => checkCertificate(socket, { certificate, serverKey: '' }).trusted === 'yes',
  );

/** Also trusts the authorities of the operating system, because many organisations have their own, and those in `more` (PEM). */
export const trustAuthorities = (more = ''): void =>
  setDefaultCACertificates([
    ...getCACertificates('default'),
    ...getCACertificates('system'),
    ...splitCertificates(more),
  ]);
