/** The certificate and key of the server on disk: read if they exist, created at the first start, and renewed in time if the server created them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  type KeyPair,
  createSelfSigned,
  selfSignedOrganization,
  serverNames,
  toCertificateName,
} from './self-signed.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

export interface ServerCertificate extends KeyPair {
  certFile: string;
  keyFile: string;
  /** SHA-256 of the certificate, in the notation of browsers. */
  fingerprint256: string;
  notAfter: Date;
  /** Why a new one was created just now; undefined if the one on disk is used. */
  created: Reason | undefined;
}

type Reason = 'first start' | 'expires soon' | 'lacks a name' | 'is damaged';

const renewalTime = 30 * 86_400_000;

/** Never overwrites a certificate that the server did not create: throws if it cannot be used. */
export async function loadOrCreateCertificate(
  folder: string,
  names: readonly string[],
  now: Date = new Date(),
): Promise<ServerCertificate> {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const found = await readPair(files.certFile, files.keyFile);
  const created = found ? reasonToRenew(found, names, now) : 'first start';
  const pair = found && !created ? found : await createSelfSigned(serverNames(names), now);
  const problem = pairProblem(pair);
  if (problem !== undefined) throw new Error(`${problem} (${files.certFile}, ${files.keyFile})`);
  if (created) await save(folder, files, pair);
  const { fingerprint256, validToDate } = new X509Certificate(pair.cert);
  return { ...pair, ...files, fingerprint256, notAfter: validToDate, created };
}

/** Why this pair cannot be used; undefined if it can. */
export function pairProblem({ cert, key }: KeyPair): string | undefined {
  try {
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return undefined;
    return 'The key does not belong to the certificate.';
  } catch (error) {
    return `The certificate or its key cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** Undefined if neither file exists. One missing file is read as empty text, which is not a valid pair. */
async function readPair(certFile: string, keyFile: string): Promise<KeyPair | undefined> {
  const [cert, key] = await Promise.all([readIfPresent(certFile), readIfPresent(keyFile)]);
  return cert === undefined && key === undefined ? undefined : { cert: cert ?? '', key: key ?? '' };
}

function reasonToRenew(found: KeyPair, names: readonly string[], now: Date): Reason | undefined {
  const own = readOwn(found.cert);
  if (!own) return undefined;
  // The certificate is written before the key: a power failure in between leaves two that do not match.
  if (pairProblem(found) !== undefined) return 'is damaged';
  if (own.validToDate.getTime() - now.getTime() < renewalTime) return 'expires soon';
  return names.map(toCertificateName).every((name) => isCovered(own, name)) ? undefined : 'lacks a name';
}

/** The certificate, if the server created it. */
function readOwn(cert: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(cert);
    const { issuer, subject } = certificate;
    return issuer === subject && subject.includes(`O=${selfSignedOrganization}`) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

function isCovered(certificate: X509Certificate, name: string): boolean {
  if (name === '') return true;
  return (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
}

async function save(
  folder: string,
  files: { certFile: string; keyFile: string },
  pair: KeyPair,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(files.certFile, pair.cert, 0o644);
  await writeFileAtomic(files.keyFile, pair.key, 0o600);
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
