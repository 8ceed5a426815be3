/** Whether the certificate a server shows can be believed, and on what condition. */
import { createHash } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';

/** What the device knows of its server from before. */
export interface KnownServer {
  /** SHA-256 of the certificate to expect, base64url; empty where it is one that everybody trusts. */
  certificate: string;
  /** The server's own key; empty before the first connection. */
  serverKey: string;
}

export interface CertificateCheck {
  /** SHA-256 of the certificate that was shown. */
  shown: string;
  /**
   * `yes`: everybody trusts it, or it is the very one to expect. `if_signed`: it was renewed, and counts once the
   * server has signed with its own key that this is the one it shows. `no`: nothing may be said to this server.
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

/** Whether a certificate is one that everybody trusts, or one of these. */
export const isTrustedCertificate = (socket: TLSSocket, certificates: readonly string[]): boolean =>
  ['', ...certificates].some(
    (certificate) => checkCertificate(socket, { certificate, serverKey: '' }).trusted === 'yes',
  );

/** The authorities that this machine trusts count as well: an organisation often has one of its own. */
export const trustSystemAuthorities = (): void =>
  setDefaultCACertificates([...getCACertificates('default'), ...getCACertificates('system')]);
