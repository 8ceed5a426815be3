/** The challenges that are open now: what to answer to an authority that checks that the server holds a name. */
import type { KeyPair } from '../self-signed.ts';

export interface Challenges {
  /** HTTP-01: the text below /.well-known/acme-challenge/; undefined if no such challenge is open. */
  textOf(token: string): string | undefined;
  /** TLS-ALPN-01: the certificate to present for this name. */
  certificateOf(name: string): KeyPair | undefined;
  /** Whether a TLS-ALPN-01 challenge is open. */
  isTlsPending(): boolean;
  /** Each returns the function that closes the challenge. */
  openText(token: string, text: string): () => void;
  openCertificate(name: string, pair: KeyPair): () => void;
}

export function createChallenges(): Challenges {
  const texts = new Map<string, string>();
  const certificates = new Map<string, KeyPair>();
  return {
    textOf: (token) => texts.get(token),
    certificateOf: (name) => certificates.get(name.toLowerCase()),
    isTlsPending: () => certificates.size > 0,
    openText(token, text) {
      texts.set(token, text);
      return () => void texts.delete(token);
    },
    openCertificate(name, pair) {
      certificates.set(name, pair);
      return () => void certificates.delete(name);
    },
  };
}
