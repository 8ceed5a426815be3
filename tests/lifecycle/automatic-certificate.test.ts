/** Automatic certificates against Pebble: the first, renewals, authorities that are away, and what doctor says. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { loadOrCreateCertificate } from '@drawbridge/server/tls/certificate';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { startPebble } from '../kit/acme/pebble.ts';
import { freePort } from '../kit/free-port.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createDataFolder, launchServer } from './launched-server.ts';

const skip = skipWithout('pebble');
const domain = 'help.example.com';
const launcher = join(import.meta.dirname, '../../cli/bin/drawbridge.cjs');
const day = 86_400_000;

/** The certificate with which the server proves that it is `name` to a client that trusts only this authority. */
async function presentedTo(port: number, name: string, ca: string): Promise<X509Certificate> {
  const socket = connect({ port, host: '127.0.0.1', ca, servername: name });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate()!;
  socket.destroy();
  return certificate;
}

interface Visit {
  status: number | undefined;
  location: string | undefined;
}

const visit = (port: number, path: string): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, location: response.headers.location });
    });
    call.once('error', reject).end();
  });

/** What doctor says about the automatic certificate, with its state in front. */
async function doctorLine(env: Record<string, string>): Promise<string> {
  const run = promisify(execFile)(process.execPath, [launcher, 'doctor'], {
    env: { PATH: process.env['PATH'], ...env },
    cwd: env['DRAWBRIDGE_DATA'],
  });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return /^.*automatic certificate: .*$/m.exec(stdout)?.[0] ?? stdout;
}

/** A data folder with a certificate from an authority of which more than two thirds of the life are over. */
async function writeOldCertificate(data: string, directory: string): Promise<string> {
  await loadOrCreateCertificate(join(data, 'tls'), []);
  const folder = join(data, 'tls/acme');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { cert, key } = await createSelfSigned([domain], new Date(Date.now() - 500 * day));
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 });
  const attempt = { directory, domains: [domain], failures: 0, retryAt: 0, restartAt: 0, error: '' };
  writeFileSync(join(folder, 'last-attempt.json'), JSON.stringify(attempt));
  return cert;
}

test(
  'the first certificate is obtained through the own port, and clients of the authority accept it',
  { skip },
  async () => {
    using data = createDataFolder();
    const port = await freePort();
    await using pebble = await startPebble({ tlsPort: port });
    const env = {
      ...pebble.env,
      DRAWBRIDGE_DATA: data.folder,
      DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
      DRAWBRIDGE_LOG_LEVEL: 'info',
      DRAWBRIDGE_ACME_DOMAINS: `${domain}, www.example.com`,
      DRAWBRIDGE_ACME_EMAIL: 'ann@example.com',
    };
    await using server = await launchServer(env);
    await server.logged(/the authority issued a new certificate/);

    const root = await pebble.root();
    for (const name of [domain, 'www.example.com'])
      assert.ok((await presentedTo(port, name, root)).checkHost(name), name);
    assert.equal(statSync(join(data.folder, 'tls/acme/key.pem')).mode & 0o777, 0o600);
    assert.equal(statSync(join(data.folder, 'tls/acme/account.pem')).mode & 0o777, 0o600);
    assert.match(pebble.log(), /nonce/i);
    assert.match(await doctorLine(env), /^ok .*127\.0\.0\.1:\d+ issued it/);
    // Without an open challenge, its protocol is refused like any other that the server does not know.
    const probe = connect({
      port,
      host: '127.0.0.1',
      ca: root,
      servername: domain,
      ALPNProtocols: ['acme-tls/1'],
    });
    await assert.rejects(once(probe, 'secureConnect'));
  },
);

test(
  'a certificate in its last third is renewed at the start, over HTTP and with an external account',
  { skip },
  async () => {
    using data = createDataFolder();
    const [port, httpPort] = [await freePort(), await freePort()];
    const secret = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
    await using pebble = await startPebble({ httpPort, externalAccounts: { 'kid-1': secret } });
    const old = await writeOldCertificate(data.folder, pebble.env['DRAWBRIDGE_ACME_DIRECTORY']!);
    await using server = await launchServer({
      ...pebble.env,
      DRAWBRIDGE_DATA: data.folder,
      DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
      DRAWBRIDGE_LOG_LEVEL: 'info',
      DRAWBRIDGE_ACME_DOMAINS: domain,
      DRAWBRIDGE_ACME_HTTP_LISTEN: `127.0.0.1:${httpPort}`,
      DRAWBRIDGE_ACME_EXTERNAL_ACCOUNT: `kid-1:${secret}`,
    });
    await server.logged(/the authority issued a new certificate/);

    const renewed = await presentedTo(port, domain, await pebble.root());
    assert.notEqual(renewed.fingerprint256, new X509Certificate(old).fingerprint256);
    const { publicUrl } = { publicUrl: `https://localhost:${port}` };
    assert.deepEqual(await visit(httpPort, '/panel?a=b'), {
      status: 308,
      location: `${publicUrl}/panel?a=b`,
    });
    assert.deepEqual(await visit(httpPort, '/.well-known/acme-challenge/other'), {
      status: 404,
      location: undefined,
    });
  },
);

test(
  'while the authority cannot check the name, the old certificate stays in use, and doctor says what failed',
  { skip },
  async () => {
    using data = createDataFolder();
    const port = await freePort();
    // It checks the name at a port where nobody listens.
    await using pebble = await startPebble({ tlsPort: await freePort() });
    const old = await writeOldCertificate(data.folder, pebble.env['DRAWBRIDGE_ACME_DIRECTORY']!);
    const env = {
      ...pebble.env,
      DRAWBRIDGE_DATA: data.folder,
      DRAWBRIDGE_LISTEN: `127.0.0.1:${port}`,
      DRAWBRIDGE_ACME_DOMAINS: domain,
    };
    await using server = await launchServer(env);
    await server.logged(/no certificate could be obtained; the one before stays in use/);

    const presented = await presentedTo(port, domain, old);
    assert.equal(presented.fingerprint256, new X509Certificate(old).fingerprint256);
    assert.equal(readFileSync(join(data.folder, 'tls/acme/cert.pem'), 'utf8'), old);
    assert.match(
      await doctorLine(env),
      /^warning .*could not check help\.example\.com with tls-alpn-01: Failed to connect .*\. Failed attempts: 1;/,
    );
  },
);
