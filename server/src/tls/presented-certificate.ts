/** Which certificate devices see at the public address, and whether they have to be told it. */
import { readFileSync } from 'node:fs';
import { fingerprintOf, keyPinOf } from './pins.ts';

export interface CertificateSource {
  /** The settings name a certificate of the server: one that everybody trusts. */
  given: boolean;
  /** A proxy stands before the server and ends TLS itself. */
  proxied: boolean;
  /** The file with the certificate that the proxy shows, where not everybody trusts it. */
  publicCert: string | undefined;
}

export interface PresentedCertificate {
  /** What tokens carry: SHA-256 of the certificate; empty where devices trust what they see by themselves. */
  fingerprint(): string;
  /** What the line that installs the agent carries: SHA-256 of its public key; empty likewise. */
  keyPin(): string;
  /** SHA-256 of the certificate that the server vouches for with its own key, once it is known by that. */
  attested(): string;
}

/** Throws when the file of the proxy's certificate can not be used. `own` is the one that the server itself shows. */
export function presentedCertificate(
  { given, proxied, publicCert }: CertificateSource,
  own: () => string,
): PresentedCertificate {
  const attested = publicCert === undefined ? own : readOrKeepLast(publicCert);
  const named = (): string => (publicCert === undefined && (given || proxied) ? '' : attested());
  return {
    fingerprint: () => pinUnlessEmpty(named(), fingerprintOf),
    keyPin: () => pinUnlessEmpty(named(), keyPinOf),
    attested: () => fingerprintOf(attested()),
  };
}

const pinUnlessEmpty = (cert: string, pinOf: (cert: string) => string): string =>
  cert === '' ? '' : pinOf(cert);

/** Read anew each time, as the proxy may get another; one that is just being written does not count yet. */
function readOrKeepLast(file: string): () => string {
  const read = (): string => {
    const cert = readFileSync(file, 'utf8');
    fingerprintOf(cert); // throws when it is no certificate
    return cert;
  };
  let good = read();
  return () => {
    try {
      good = read();
    } catch {
      // The last one that could be read stays.
    }
    return good;
  };
}
