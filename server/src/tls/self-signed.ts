/** Creates the self-signed certificate of a server that was given none, with an EC P-256 key. */
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { domainToASCII } from 'node:url';
import type * as X509 from '@peculiar/x509';

export interface KeyPair {
  cert: string;
  key: string;
}

/** Marks a certificate that the server created and may replace without asking. */
export const selfSignedOrganization = 'Drawbridge self-signed';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 86_400_000;
/** For clients whose clock is behind, the certificate must not begin in the future. */
const clockSkew = day;
/** Two years, because browsers refuse more than 825 days. */
const lifetime = 730 * day;

/** The names of this machine: localhost, its host name, its addresses, and the given names. */
export function serverNames(given: readonly string[]): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const reachable = addresses.map((entry) => entry.address).filter((address) => !address.startsWith('fe80:'));
  const names = ['localhost', hostname(), ...given].map(toCertificateName).filter((name) => name !== '');
  return [...new Set([...names, '127.0.0.1', '::1', ...reachable])];
}

/** A name as it is written in certificates: ASCII, lower case, without brackets or zone. Empty if it is not valid. */
export function toCertificateName(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare.replace(/%.*$/, '') : domainToASCII(bare);
}

export async function createSelfSigned(names: readonly string[], now: Date): Promise<KeyPair> {
  const x509 = await importX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: [{ O: [selfSignedOrganization] }, { CN: [names[0] ?? 'localhost'] }],
    notBefore: new Date(now.getTime() - clockSkew),
    notAfter: new Date(now.getTime() + lifetime),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: `${certificate.toString('pem')}\n`, key: toPem(Buffer.from(key)) };
}

/** Loaded only to create a certificate, so that other starts do not wait for it. */
export async function importX509(): Promise<typeof X509> {
  // The library requires the old metadata proposal but stores nothing that matters here, so empty functions are enough.
  if (!('getMetadata' in Reflect)) {
    const nothing = (): undefined => undefined;
    Object.assign(Reflect, { getMetadata: nothing, getOwnMetadata: nothing, defineMetadata: nothing });
  }
  return import('@peculiar/x509');
}

/** A random positive number of always 16 bytes: its first bits are fixed. */
export function randomSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

export function toPem(key: Buffer): string {
  const lines = key.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
}
