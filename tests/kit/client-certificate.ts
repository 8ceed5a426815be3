/** A certificate for a client of TLS, signed by itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importX509 } from '@drawbridge/server/tls/self-signed';

export async function createClientCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const x509 = await importX509();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=client',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const files = { cert: join(folder, 'client.pem'), key: join(folder, 'client.key') };
  writeFileSync(files.cert, certificate.toString('pem'));
  writeFileSync(files.key, `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`);
  return files;
}
