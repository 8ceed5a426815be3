/** Decides whether the certificate of a server is trusted, and on which condition. */
import { createHash } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';

/** What the device already knows about its server. */
export interface KnownServer {
  /** SHA-256 of the expected certificate, base64url; empty if a public authority signed it. */
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
  const raw = socket.getPeerX509Certificate?.()?.raw;
  const shown = raw ? createHash('sha256').update(raw).digest('base64url') : '';
  if (shown !== '' && (socket.authorized || shown === certificate)) return { shown, trusted: 'yes' };
  return { shown, trusted: shown !== '' && serverKey !== '' ? 'if_signed' : 'no' };
}

/** Whether a trusted authority signed the certificate, or it is one of these. */
export const isTrustedCertificate = (socket: TLSSocket, certificates: readonly string[]): boolean =>
  ['', ...certificates].some(
    (certificate) => checkCertificate(socket, { certificate, serverKey: '' }).trusted === 'yes',
  );

/** Also trusts the authorities of the operating system, because many organisations have their own. */
export const trustSystemAuthorities = (): void =>
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
