/** The self-signed certificate: created once, kept, renewed in time, and never written over another certificate. */
import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { loadOrCreateCertificate } from './certificate.ts';
import { createSelfSigned, serverNames } from './self-signed.ts';

const day = 86_400_000;

async function openFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'certificate-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Self-signed like ours, but with another subject. */
async function foreignCertificate(key: string): Promise<string> {
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [privateKey, publicKey] = [createPrivateKey(key), createPublicKey(key)];
  const keys = {
    privateKey: privateKey.toCryptoKey(algorithm, true, ['sign']),
    publicKey: publicKey.toCryptoKey(algorithm, true, ['verify']),
  };
  const notAfter = new Date(Date.now() + day);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=foreign.example',
    notAfter,
    keys,
    signingAlgorithm: algorithm,
  });
  return made.toString('pem');
}

test('the first start creates a certificate that the next start uses', async () => {
  await using folder = await openFolder();

  const first = await loadOrCreateCertificate(join(folder.path, 'tls'), []);
  const second = await loadOrCreateCertificate(join(folder.path, 'tls'), []);

  assert.equal(first.created, 'first start');
  assert.deepEqual(second, { ...first, created: undefined });
  assert.deepEqual((await readdir(join(folder.path, 'tls'))).toSorted(), ['cert.pem', 'key.pem']);
});

test('only the owner of the folder can read the key', { skip: process.platform === 'win32' }, async () => {
  await using folder = await openFolder();

  const { keyFile, certFile } = await loadOrCreateCertificate(join(folder.path, 'tls'), []);

  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  assert.equal((await stat(certFile)).mode & 0o022, 0);
  assert.equal((await stat(join(folder.path, 'tls'))).mode & 0o777, 0o700);
});

test('the certificate is valid for all names of this machine, and only for servers', async () => {
  await using folder = await openFolder();

  const { cert, fingerprint256, notAfter } = await loadOrCreateCertificate(folder.path, [
    'Help.Example.ORG',
    '203.0.113.9',
    'bücher.example',
    '[2001:db8::7]',
  ]);

  const certificate = new X509Certificate(cert);
  for (const name of ['localhost', hostname(), 'help.example.org', 'xn--bcher-kva.example'])
    assert.ok(certificate.checkHost(name), name);
  for (const address of ['127.0.0.1', '::1', '203.0.113.9', '2001:db8::7'])
    assert.ok(certificate.checkIP(address), address);
  assert.equal(certificate.checkHost('other.example.org'), undefined);
  const basic = new (await import('@peculiar/x509')).X509Certificate(cert).getExtension('2.5.29.19');
  assert.ok(basic && 'ca' in basic);
  assert.deepEqual([basic.critical, basic.ca], [true, false]);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  assert.equal(certificate.fingerprint256, fingerprint256);
  assert.equal(certificate.validToDate.getTime(), notAfter.getTime());
  const days = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / day;
  assert.ok(days > 700 && days <= 825, `${days} days`);
  assert.equal(certificate.serialNumber.length, 32);
});

test('two servers never create the same certificate', async () => {
  const [one, other] = await Promise.all([
    createSelfSigned(['localhost'], new Date()),
    createSelfSigned(['localhost'], new Date()),
  ]);

  assert.notEqual(one.key, other.key);
  assert.notEqual(new X509Certificate(one.cert).serialNumber, new X509Certificate(other.cert).serialNumber);
});

test('a client that trusts the certificate connects by name and by address', async () => {
  await using folder = await openFolder();
  const { cert, key } = await loadOrCreateCertificate(folder.path, []);
  const server = createServer({ cert, key }, (_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const untrusting = connect({ host: '127.0.0.1', port });
  await assert.rejects(once(untrusting, 'secureConnect'), /self-signed/);
  for (const servername of ['localhost', '127.0.0.1']) {
    const socket = connect({
      host: '127.0.0.1',
      port,
      ca: cert,
      ...(isIP(servername) ? {} : { servername }),
    });
    await once(socket, 'secureConnect');
    assert.equal(socket.authorized, true);
    socket.destroy();
  }
  server.close();
});

test('a self-signed certificate is renewed thirty days before it expires, and not a day earlier', async () => {
  await using folder = await openFolder();
  const first = await loadOrCreateCertificate(folder.path, []);
  const before = (days: number): Date => new Date(first.notAfter.getTime() - days * day);

  const early = await loadOrCreateCertificate(folder.path, [], before(31));
  const late = await loadOrCreateCertificate(folder.path, [], before(29));

  assert.equal(early.created, undefined);
  assert.equal(late.created, 'expires soon');
  assert.ok(late.notAfter.getTime() > before(29).getTime() + 700 * day);
  assert.notEqual(late.key, first.key);
});

test('a self-signed certificate that lacks a given name is created again', async () => {
  await using folder = await openFolder();
  await loadOrCreateCertificate(folder.path, []);

  assert.equal((await loadOrCreateCertificate(folder.path, ['help.example.org'])).created, 'lacks a name');
  assert.equal(
    (await loadOrCreateCertificate(folder.path, ['help.example.org', 'localhost'])).created,
    undefined,
  );
});

test('a self-signed pair that was written only in part is created again', async () => {
  await using folder = await openFolder();
  const { keyFile, certFile } = await loadOrCreateCertificate(folder.path, []);
  await rm(keyFile);

  assert.equal((await loadOrCreateCertificate(folder.path, [])).created, 'is damaged');
  await writeFile(certFile, (await createSelfSigned(serverNames([]), new Date())).cert);
  assert.equal((await loadOrCreateCertificate(folder.path, [])).created, 'is damaged');
  assert.equal((await loadOrCreateCertificate(folder.path, [])).created, undefined);
});

test('a certificate that the server did not create is used unchanged, even after it expired, and never overwritten', async () => {
  await using folder = await openFolder();
  const [certFile, keyFile] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  await writeFile(keyFile, (await createSelfSigned(['localhost'], new Date())).key);
  await writeFile(certFile, await foreignCertificate(await readFile(keyFile, 'utf8')));
  const cert = await readFile(certFile, 'utf8');

  const later = await loadOrCreateCertificate(
    folder.path,
    ['other.example'],
    new Date(Date.now() + 900 * day),
  );
  await writeFile(keyFile, (await createSelfSigned(['localhost'], new Date())).key);

  assert.equal(later.cert, cert);
  assert.equal(later.created, undefined);
  await assert.rejects(
    loadOrCreateCertificate(folder.path, []),
    /The key does not belong to the certificate\..*cert\.pem/,
  );
  assert.equal(await readFile(certFile, 'utf8'), cert);
});

test('a key without a certificate, or an invalid certificate, stops the start with an error of one sentence', async () => {
  await using folder = await openFolder();
  const { cert, key } = await createSelfSigned(['localhost'], new Date());
  await writeFile(join(folder.path, 'key.pem'), key);

  await assert.rejects(loadOrCreateCertificate(folder.path, []), /cannot be read/);
  await writeFile(join(folder.path, 'cert.pem'), cert.slice(0, 200));
  await assert.rejects(loadOrCreateCertificate(folder.path, []), /cannot be read/);
  assert.equal(await readFile(join(folder.path, 'key.pem'), 'utf8'), key);
});
