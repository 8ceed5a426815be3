/** A certificate that an authority has issued, each time another authority. */
import { importX509, toPem, type KeyPair } from '@drawbridge/server/tls/self-signed';

export async function createIssued(name: string): Promise<KeyPair> {
  const x509 = await importX509();
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const newKeys = () => crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const [authority, keys] = await Promise.all([newKeys(), newKeys()]);
  const certificate = await x509.X509CertificateGenerator.create({
    issuer: 'CN=An authority',
    subject: `CN=${name}`,
    signingKey: authority.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { cert: certificate.toString('pem'), key: toPem(key) };
}
