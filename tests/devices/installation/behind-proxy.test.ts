/**
 * A server behind a proxy that terminates TLS: what tokens and the download page tell devices to expect
 * there.
 */
import assert from 'node:assert/strict';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseEnrolmentToken } from '@drawbridge/contract/uplink/enrolment-token';
import { fingerprintOf, keyPinOf } from '@drawbridge/server/tls/pins';
import type { KeyPair } from '@drawbridge/server/tls/self-signed';
import { startAgent } from '../../kit/agent/agent.ts';
import { makeKeyPair } from '../../kit/server/proxies.ts';
import { listDevices, createEnrolToken } from '../../kit/server/enrolment.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { openTlsProxy } from '../../kit/server/tls-proxy.ts';

const printOf = (cert: string): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url');

describe('a server behind a proxy that terminates TLS', () => {
  let pair: KeyPair;
  let folder: string;
  before(async () => {
    pair = await makeKeyPair();
    folder = mkdtempSync(join(tmpdir(), 'drawbridge-proxy-'));
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ version: '0.1.0', files: [] }));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A service behind its own proxy. */
  async function open(env: Record<string, string> = {}) {
    const stack = new AsyncDisposableStack();
    const proxy = stack.use(await openTlsProxy(pair));
    const settings = {
      DRAWBRIDGE_PUBLIC_URL: proxy.url,
      DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1',
      DRAWBRIDGE_DOWNLOADS: folder,
    };
    const service = stack.use(await startService({ realTime: true, env: { ...settings, ...env } }));
    proxy.target = service.server.config.listen.port;
    const { owner } = await service.account();
    return { proxy, service, owner, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  test('tokens name no certificate, and a device enrols by the authorities that its machine trusts', async () => {
    await using fixture = await open();
    const token = await createEnrolToken(fixture.owner, { uses: 2 });

    assert.equal(parseEnrolmentToken(token)!.certificate, '');
    await using wary = startAgent({ server: fixture.proxy.url, token });
    await wary.until(/certificate of the server is not trusted/);
    assert.deepEqual(await listDevices(fixture.owner), []);
    await using agent = startAgent({ server: fixture.proxy.url, token, connect: { ca: pair.cert } });
    await agent.until(/connected as/);
  });

  test('if the proxy’s certificate is self-signed, tokens name it, also after a renewal', async () => {
    const file = join(folder, 'proxy.pem');
    writeFileSync(file, pair.cert);
    await using fixture = await open({ DRAWBRIDGE_PUBLIC_CERT: file });
    const { proxy, owner } = fixture;
    const token = await createEnrolToken(owner);
    assert.equal(parseEnrolmentToken(token)!.certificate, printOf(pair.cert));
    await using agent = startAgent({ server: proxy.url, token });
    await agent.until(/connected as/);
    await agent.stop();

    const renewed = await makeKeyPair();
    proxy.renew(renewed);
    await using early = startAgent({ server: proxy.url, state: { ...agent.state } });
    await early.until(/intercepting the connection/);
    writeFileSync(file, renewed.cert);
    await using again = startAgent({ server: proxy.url, state: { ...agent.state } });
    await again.until(/connected as/);

    assert.equal(parseEnrolmentToken(await createEnrolToken(owner))!.certificate, printOf(renewed.cert));
    writeFileSync(file, 'half of a certif');
    assert.equal(
      parseEnrolmentToken(await createEnrolToken(owner))!.certificate,
      printOf(renewed.cert),
      'the last good one',
    );
  });

  test('a file that holds no certificate is refused as a setting', async () => {
    const file = join(folder, 'nothing.pem');
    writeFileSync(file, 'nothing');

    await assert.rejects(startService({ env: { DRAWBRIDGE_PUBLIC_CERT: file } }));
  });

  test('the install command names the key that is presented at the public address, or none', async () => {
    const file = join(folder, 'line.pem');
    writeFileSync(file, pair.cert);
    const pinIn = (script: string): string => /--pinnedpubkey 'sha256\/\/(.*?)'/.exec(script)?.[1] ?? '';
    const scriptOf = async ({ testClient }: TestService) =>
      (await testClient.send({ path: '/download/install.sh' })).text;
    await using trusted = await open();
    await using own = await open({ DRAWBRIDGE_PUBLIC_CERT: file });
    await using direct = await startService({ env: { DRAWBRIDGE_DOWNLOADS: folder } });

    assert.equal(pinIn(await scriptOf(trusted.service)), '');
    assert.equal(pinIn(await scriptOf(own.service)), keyPinOf(pair.cert));
    const { cert } = direct.server.certificate;
    assert.equal(pinIn(await scriptOf(direct)), keyPinOf(cert));
    const { owner } = await direct.account();
    assert.equal(parseEnrolmentToken(await createEnrolToken(owner))!.certificate, fingerprintOf(cert));
  });
});
