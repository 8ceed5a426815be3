/**
 * The certificate of a running server: a generated one at first, another one as soon as its files are
 * replaced.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, type PeerCertificate } from 'node:tls';
import { createSelfSigned, type KeyPair } from '@drawbridge/server/tls/self-signed';
import { createDataFolder, launchServer } from './launched-server.ts';

/** The certificate that a client gets that connects to the server under a name, and trusts only this one. */
async function shownTo(port: number, name: string, ca: string): Promise<PeerCertificate> {
  const address = /^[\d.]+$/.test(name);
  const socket = connect({ port, host: '127.0.0.1', ca, ...(address ? {} : { servername: name }) });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

test('on its first start the server generates a certificate for localhost, the host name and its address', async () => {
  using data = createDataFolder();
  await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder });
  const { ca } = server.testClient;

  for (const name of ['localhost', hostname(), '127.0.0.1']) {
    const { fingerprint256 } = await shownTo(server.port, name, ca);
    assert.ok(server.welcome.includes(fingerprint256.replaceAll(':', '')), name);
  }
  await assert.rejects(
    shownTo(server.port, 'elsewhere.example', ca),
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match/,
  );
  assert.equal(statSync(join(data.folder, 'tls/key.pem')).mode & 0o777, 0o600);
  assert.match(
    server.welcome,
    /Trust this file in your browser or client, or set your own certificate\s+with DRAWBRIDGE_TLS_CERT/,
  );
});

test('the certificate stays the same over a restart', async () => {
  using data = createDataFolder();
  const first = await launchServer({ DRAWBRIDGE_DATA: data.folder });
  await first[Symbol.asyncDispose]();
  await using second = await launchServer({ DRAWBRIDGE_DATA: data.folder });

  assert.equal(second.testClient.ca, first.testClient.ca);
});

test('replaced files are served without a restart, and invalid ones are not', async () => {
  using data = createDataFolder();
  const [one, two] = (await Promise.all([1, 2].map(() => createSelfSigned(['localhost'], new Date())))) as [
    KeyPair,
    KeyPair,
  ];
  const [certFile, keyFile] = [join(data.folder, 'cert.pem'), join(data.folder, 'key.pem')];
  const replace = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  replace(certFile, one.cert);
  replace(keyFile, one.key);
  await using server = await launchServer({
    DRAWBRIDGE_DATA: data.folder,
    DRAWBRIDGE_TLS_CERT: certFile,
    DRAWBRIDGE_TLS_KEY: keyFile,
    DRAWBRIDGE_LOG_LEVEL: 'info',
  });
  const before = await server.testClient.send({ path: '/healthz' });

  replace(certFile, two.cert);
  await server.logged(/the new certificate cannot be used; the old one stays in use/);
  const still = await shownTo(server.port, 'localhost', one.cert);
  replace(keyFile, two.key);
  await server.logged(/the certificate was reloaded/);
  const now = await shownTo(server.port, 'localhost', two.cert);

  assert.notEqual(still.fingerprint256, now.fingerprint256);
  // Open connections are not affected.
  assert.deepEqual([before.http, (await server.testClient.send({ path: '/healthz' })).http], [200, 200]);
});
