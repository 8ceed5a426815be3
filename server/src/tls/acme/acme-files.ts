/** What the server keeps of its automatic certificate: the key of the account, the certificate with its key, and the last attempt. */
import { createPrivateKey, generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerCertificate } from '../certificate.ts';
import { readCertificate } from '../read-certificate.ts';
import type { KeyPair } from '../self-signed.ts';
import { writeFileAtomic } from '../write-file-atomic.ts';

/** The last attempt to get a certificate, for the next one and for `doctor`. */
export interface AcmeAttempt {
  directory: string;
  domains: readonly string[];
  /** How many attempts failed since the last success. */
  failures: number;
  /** Milliseconds since 1970. */
  retryAt: number;
  /** The same for a server that was restarted meanwhile, perhaps because the reason is gone. */
  restartAt: number;
  /** Why the last attempt failed; empty after a success. */
  error: string;
}

export const acmeFolderOf = (data: string): string => join(data, 'tls', 'acme');

export const acmeFilesIn = (folder: string): { cert: string; key: string } => ({
  cert: join(folder, 'cert.pem'),
  key: join(folder, 'key.pem'),
});

/** Undefined if there is none yet, or a power failure left a pair that does not match. */
export const readIssued = (folder: string): Promise<ServerCertificate | undefined> =>
  readCertificate(acmeFilesIn(folder)).catch(() => undefined);

/** Returns the files that were written. */
export async function writeIssued(folder: string, pair: KeyPair): Promise<ServerCertificate> {
  const files = acmeFilesIn(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(files.cert, pair.cert, 0o644);
  await writeFileAtomic(files.key, pair.key, 0o600);
  const { fingerprint256, validToDate } = new X509Certificate(pair.cert);
  const named = { certFile: files.cert, keyFile: files.key };
  return { ...pair, ...named, fingerprint256, notAfter: validToDate, created: undefined };
}

/** The key of the account at the authority, created at the first time. */
export async function loadAccountKey(folder: string): Promise<KeyObject> {
  const file = join(folder, 'account.pem');
  try {
    return createPrivateKey(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), 0o600);
  return privateKey;
}

const attemptFile = (folder: string): string => join(folder, 'last-attempt.json');

export async function readAttempt(folder: string): Promise<AcmeAttempt | undefined> {
  try {
    return JSON.parse(await readFile(attemptFile(folder), 'utf8')) as AcmeAttempt;
  } catch {
    return undefined;
  }
}

/** For a server that starts: the next attempt is due at the time for restarts. */
export async function resumeAttempt(folder: string): Promise<AcmeAttempt | undefined> {
  const last = await readAttempt(folder);
  return last && { ...last, retryAt: last.restartAt };
}

export async function writeAttempt(folder: string, attempt: AcmeAttempt): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFileAtomic(attemptFile(folder), `${JSON.stringify(attempt)}\n`, 0o644);
}
