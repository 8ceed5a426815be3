/** Which certificate devices see at the public address, and whether they need its fingerprint to trust it. */
import { readFileSync } from 'node:fs';
import { fingerprintOf, isSelfSigned, keyPinOf } from './pins.ts';

export interface CertificateSource {
  /** Whether the settings name a certificate of the server, which a public authority has issued. */
  given: boolean;
  /** Whether a proxy in front of the server terminates TLS. */
  proxied: boolean;
  /** The file with the certificate that the proxy presents, where no public authority has issued it. */
  publicCert: string | undefined;
}

export interface PresentedCertificate {
  /** SHA-256 of the certificate, which enrolment tokens contain; empty where devices trust the certificate without it. */
  fingerprint(): string;
  /** SHA-256 of its public key, which the command that installs the agent contains; empty in the same case. */
  keyPin(): string;
  /**
   * SHA-256 of the public key by which devices recognise the certificate; empty where an authority vouches for it. Several
   * servers need the same.
   */
  trustedKey(): string;
  /** SHA-256 of the certificate that the server signs with its own key, for devices that know this key. */
  attested(): string;
}

/** Throws when the file of the proxy's certificate cannot be used. `own` is the certificate that the server itself presents. */
export function presentedCertificate(
  { given, proxied, publicCert }: CertificateSource,
  own: () => string,
): PresentedCertificate {
  const attested = publicCert === undefined ? own : readOrKeepLast(publicCert);
  // A proxy that terminates TLS presents another certificate than the server, and devices trust it without a pin.
  const isVouchedFor = (cert: string): boolean =>
    publicCert === undefined && (proxied || (given && !isSelfSigned(cert)));
  const named = (): string => (publicCert === undefined && (given || proxied) ? '' : attested());
  return {
    fingerprint: () => pinUnlessEmpty(named(), fingerprintOf),
    keyPin: () => pinUnlessEmpty(named(), keyPinOf),
    trustedKey: () => (isVouchedFor(attested()) ? '' : keyPinOf(attested())),
    attested: () => fingerprintOf(attested()),
  };
}

const pinUnlessEmpty = (cert: string, pinOf: (cert: string) => string): string =>
  cert === '' ? '' : pinOf(cert);

/** Reads the file each time, because the proxy may get another certificate. A file that is half-written is ignored. */
function readOrKeepLast(file: string): () => string {
  const read = (): string => {
    const cert = readFileSync(file, 'utf8');
    fingerprintOf(cert); // throws when it is not a certificate
    return cert;
  };
  let lastValid = read();
  return () => {
    try {
      lastValid = read();
    } catch {
      // The last valid certificate stays.
    }
    return lastValid;
  };
}
