/** Creates the request for a certificate (PKCS #10), and the certificate that answers a TLS-ALPN-01 challenge (RFC 8737). */
import { createHash } from 'node:crypto';
import { importX509, randomSerial, toPem, type KeyPair } from '../self-signed.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const acmeIdentifier = '1.3.6.1.5.5.7.1.31';
const day = 86_400_000;

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const keyToPem = async (key: CryptoKey): Promise<string> =>
  toPem(Buffer.from(await crypto.subtle.exportKey('pkcs8', key)));

/** A new key, and the request in DER for a certificate of these names. */
export async function createRequest(names: readonly string[]): Promise<{ key: string; request: Buffer }> {
  const x509 = await importX509();
  const keys = await newKeys();
  const made = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: algorithm,
    extensions: [alternativeNames(x509, names)],
  });
  return { key: await keyToPem(keys.privateKey), request: Buffer.from(made.rawData) };
}

export async function createChallengeCertificate(name: string, authorization: string): Promise<KeyPair> {
  const x509 = await importX509();
  const keys = await newKeys();
  const digest = createHash('sha256').update(authorization).digest();
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: [{ CN: ['ACME challenge'] }],
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      alternativeNames(x509, [name]),
      // An OCTET STRING of 32 bytes, in DER.
      new x509.Extension(acmeIdentifier, true, Buffer.concat([Buffer.from([0x04, digest.length]), digest])),
    ],
  });
  return { cert: `${made.toString('pem')}\n`, key: await keyToPem(keys.privateKey) };
}

const alternativeNames = (x509: Awaited<ReturnType<typeof importX509>>, names: readonly string[]) =>
  new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })));
