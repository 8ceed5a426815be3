/** The certificates of several servers: what devices recognise by its key must be equal, what an authority vouches for need not. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { createIssued } from '../../kit/acme/issued-certificate.ts';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openDatabaseFor, type TestDatabase } from '../../kit/server/database.ts';
import { startNats, type Nats } from '../../kit/server/nats.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { createSharedSettings, type SharedSettings } from '../../kit/server/shared-settings.ts';

/** The others read the new certificate within seconds. */
async function restartsSoon(service: TestService): Promise<void> {
  const outcome = () =>
    service.restart().then(
      () => 'started',
      (error: Error) => error.message,
    );
  assert.equal(await eventually(outcome, (said) => said === 'started', 15_000), 'started');
}

const differs = /^The certificate of this server differs/;
const proxies = { DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1' };

describe('servers on one database', { skip: skipWithout('PostgreSQL') || skipWithout('nats-server') }, () => {
  let [nats, database, shared]: [Nats?, TestDatabase?, SharedSettings?] = [];
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-certificates-'));
  before(async () => {
    [nats, database, shared] = await Promise.all([
      startNats(),
      openDatabaseFor('postgres'),
      createSharedSettings(),
    ]);
    const {
      DRAWBRIDGE_TLS_CERT: _cert,
      DRAWBRIDGE_TLS_KEY: _key,
      DRAWBRIDGE_PUBLIC_CERT: _public,
      ...folders
    } = shared.env;
    env = { ...database.env, ...folders, DRAWBRIDGE_BUS: nats.url };
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    shared?.[Symbol.dispose]();
    await nats?.[Symbol.asyncDispose]();
    await database?.drop();
  });

  const selfSigned = () => createSelfSigned(['localhost'], new Date());

  function tls(name: string, pair: { cert: string; key: string }): Record<string, string> {
    const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}-key.pem`)];
    writeFileSync(cert, pair.cert);
    writeFileSync(key, pair.key);
    return { ...env, DRAWBRIDGE_TLS_CERT: cert, DRAWBRIDGE_TLS_KEY: key };
  }

  /** The result of a start with `second` beside a server with `first`. */
  async function startBeside(first: Record<string, string>, second: Record<string, string>): Promise<string> {
    await using _one = await startService({ env: first, realTime: true });
    return await startService({ env: second, realTime: true }).then(
      async (other) => (await other[Symbol.asyncDispose](), 'started'),
      (error: Error) => error.message,
    );
  }

  test('are refused with self-signed certificates that differ, and start with one that they share', async () => {
    const [one, two] = [tls('one', await selfSigned()), tls('two', await selfSigned())];

    assert.match(await startBeside(one, two), differs);
    assert.equal(await startBeside(one, one), 'started');
  });

  test('are refused with a self-signed certificate beside one that an authority has issued', async () => {
    assert.match(
      await startBeside(tls('issued', await createIssued('localhost')), tls('own', await selfSigned())),
      differs,
    );
  });

  test('start with certificates of their own that an authority has issued', async () => {
    assert.equal(
      await startBeside(tls('a', await createIssued('localhost')), tls('b', await createIssued('localhost'))),
      'started',
    );
  });

  test('start with certificates of their own behind a proxy that presents another', async () => {
    const [one, two] = [tls('c', await selfSigned()), tls('d', await selfSigned())];

    assert.equal(await startBeside({ ...one, ...proxies }, { ...two, ...proxies }), 'started');
  });

  test('restart one after the other when the certificate of the proxy has another key', async () => {
    const file = join(folder, 'public.pem');
    writeFileSync(file, (await selfSigned()).cert);
    const settings = { ...env, DRAWBRIDGE_PUBLIC_CERT: file };
    await using one = await startService({ env: settings, realTime: true });
    await using two = await startService({ env: settings, realTime: true });

    writeFileSync(file, (await selfSigned()).cert);

    await restartsSoon(two);
    assert.ok(one.server.store.now() > 0);
  });

  test('restart one after the other when their self-signed certificate has another key', async () => {
    const settings = tls('renewed', await selfSigned());
    await using one = await startService({ env: settings, realTime: true });
    await using two = await startService({ env: settings, realTime: true });

    tls('renewed', await selfSigned());

    await restartsSoon(two);
    assert.ok(one.server.store.now() > 0);
  });
});
