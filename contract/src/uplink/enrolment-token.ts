/** Enrolment tokens: a secret that can be used a limited number of times, and the certificate the server must present. */

export interface EnrolmentToken {
  secret: string;
  /** SHA-256 of the server's certificate, base64url; empty if a public authority issued the certificate. */
  certificate: string;
}

const tokenPattern = /^dbe1_([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})?$/;

export const formatEnrolmentToken = ({ secret, certificate }: EnrolmentToken): string =>
  `dbe1_${secret}.${certificate}`;

export function parseEnrolmentToken(text: string): EnrolmentToken | undefined {
  const match = tokenPattern.exec(text.trim());
  return match ? { secret: match[1]!, certificate: match[2] ?? '' } : undefined;
}
