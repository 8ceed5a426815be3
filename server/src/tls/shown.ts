/** Which certificate devices see at the public address, and whether they have to be told it. */
import { readFileSync } from 'node:fs';
import { fingerprintOf, keyPinOf } from './pins.ts';

export interface ShownAt {
  /** The settings name a certificate of the server: one that everybody trusts. */
  given: boolean;
  /** A proxy stands before the server and ends TLS itself. */
  proxied: boolean;
  /** The file with the certificate that the proxy shows, where not everybody trusts it. */
  publicCert: string | undefined;
}

export interface Shown {
  /** What tokens carry: SHA-256 of the certificate; empty where devices trust what they see by themselves. */
  fingerprint(): string;
  /** What the line that installs the agent carries: SHA-256 of its public key; empty likewise. */
  keyPin(): string;
  /** SHA-256 of the certificate that the server vouches for with its own key, once it is known by that. */
  vouched(): string;
}

/** Throws when the file of the proxy's certificate can not be used. `own` is the one that the server itself shows. */
export function shownCertificate({ given, proxied, publicCert }: ShownAt, own: () => string): Shown {
  const vouched = publicCert === undefined ? own : lastGood(publicCert);
  const named = (): string => (publicCert === undefined && (given || proxied) ? '' : vouched());
  return {
    fingerprint: () => ifAny(named(), fingerprintOf),
    keyPin: () => ifAny(named(), keyPinOf),
    vouched: () => fingerprintOf(vouched()),
  };
}

const ifAny = (cert: string, pinOf: (cert: string) => string): string => (cert === '' ? '' : pinOf(cert));

/** Read anew each time, as the proxy may get another; one that is just being written does not count yet. */
function lastGood(file: string): () => string {
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
