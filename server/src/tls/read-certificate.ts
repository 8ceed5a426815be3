/** Reads the certificate and key that the settings name. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { pairProblem, type ServerCertificate } from './certificate.ts';

/** Throws an error of one sentence when the files cannot be used. */
export async function readCertificate(files: { cert: string; key: string }): Promise<ServerCertificate> {
  // Read in sequence, so that the error names the certificate when both are missing.
  const cert = await readFile(files.cert, 'utf8');
  const key = await readFile(files.key, 'utf8');
  const problem = pairProblem({ cert, key });
  if (problem !== undefined) throw new Error(`${problem} (${files.cert}, ${files.key})`);
  const { fingerprint256, validToDate } = new X509Certificate(cert);
  return {
    cert,
    key,
    certFile: files.cert,
    keyFile: files.key,
    fingerprint256,
    notAfter: validToDate,
    created: undefined,
  };
}
