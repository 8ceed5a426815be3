/** Releases that a device refuses: forged, old, expired, or damaged. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { installRelease, type InstallOptions } from '@drawbridge/agent/update/install-release';
import { slotFile } from '@drawbridge/agent/update/slots';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { loadOrCreateReleaseKey, rotateReleaseKey } from '../../../scripts/release/release-key.ts';
import { refusedReleases } from './refused-cases.ts';
import {
  createReleaseFolder,
  installTestProgram,
  programOf,
  releaseFileName,
  releaseTime,
} from '../../kit/agent/release.ts';
import { startService, type TestService } from '../../kit/server/service.ts';

describe('a device that is asked to update', () => {
  const release = createReleaseFolder();
  let service: TestService;
  before(async () => {
    service = await startService({ env: { DRAWBRIDGE_DOWNLOADS: release.folder } });
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    release[Symbol.dispose]();
  });

  const install = (options: Omit<InstallOptions, 'server'>, wanted?: string, url?: string): Promise<string> =>
    installRelease({ ...options, server: { url: url ?? service.testClient.baseUrl } }, wanted);

  /** Asserts that the release is refused with this reason, and that the device still starts the version it has. */
  async function isRefused(reason: RegExp, change: Partial<InstallOptions> = {}): Promise<void> {
    using device = installTestProgram(release.key.publicKey);

    await assert.rejects(install({ ...device.options, ...change }), reason);

    assert.equal(device.start('--version'), '1.0.0');
    assert.equal(existsSync(slotFile(device.folder, 'b')), false);
  }

  test('installs a newer release, which starts from then on', async () => {
    using device = installTestProgram(release.key.publicKey);
    release.offer('1.0.1');

    const version = await install(device.options);

    assert.deepEqual([version, device.start('--version')], ['1.0.1', '1.0.1']);
  });

  for (const { name, reason, offer, change, wanted } of refusedReleases)
    test(`refuses ${name}`, async () => {
      using device = installTestProgram(release.key.publicKey);
      offer(release);

      await assert.rejects(install({ ...device.options, ...change }, wanted), reason);

      assert.equal(device.start('--version'), '1.0.0');
      assert.equal(existsSync(slotFile(device.folder, 'b')), false);
    });

  test('refuses a release that is older than one it has seen', async () => {
    using device = installTestProgram(release.key.publicKey);
    release.offer('1.2.0', { sequence: releaseTime + 1 });
    await install(device.options);
    release.offer('1.3.0', { sequence: releaseTime });

    await assert.rejects(install({ ...device.options, running: '1.2.0' }), /older than one/);
  });

  test('refuses a file that was swapped for another of the same size, and keeps nothing of it', async () => {
    using device = installTestProgram(release.key.publicKey);
    release.offer('1.1.0');
    writeFileSync(join(release.folder, releaseFileName), programOf('6.6.6'));

    await assert.rejects(install(device.options), /not the one that was signed/);

    assert.deepEqual(readdirSync(dirname(slotFile(device.folder, 'b'))), []);
    assert.equal(device.start('--version'), '1.0.0');
  });

  test('refuses a signed file that does not start as the version that it should be', async () => {
    release.offer('1.1.0', {}, programOf('1.0.9'));
    using device = installTestProgram(release.key.publicKey);

    await assert.rejects(install(device.options), /does not start on this device: 1\.0\.9/);

    assert.equal(device.start('--version'), '1.0.0');
  });

  test('follows a new release key that the old one has signed, and never goes back', async () => {
    using rotated = createReleaseFolder();
    using device = installTestProgram(rotated.key.publicKey);
    const oldKey = loadOrCreateReleaseKey(rotated.keyFile);
    rotateReleaseKey(rotated.keyFile);
    rotateReleaseKey(rotated.keyFile);
    await using own = await startService({ env: { DRAWBRIDGE_DOWNLOADS: rotated.folder } });
    rotated.offer('1.1.0');

    await install(device.options, undefined, own.testClient.baseUrl);

    assert.equal(device.start('--version'), '1.1.0');
    rotated.publish(oldKey.sign(rotated.manifestOf('1.2.0')));
    const next = { ...device.options, running: '1.1.0' };
    await assert.rejects(install(next, undefined, own.testClient.baseUrl), /not signed with the release key/);
  });

  test('does not follow a release key that a stranger names', async () => {
    using stranger = createReleaseFolder();
    release.offer('1.1.0');
    const signed = stranger.key.sign(release.manifestOf('1.1.0'));
    const rotation = {
      from: release.key.publicKey,
      to: stranger.key.publicKey,
      signature: signed.signature,
    };
    release.publish({ ...signed, rotations: [rotation] });

    await isRefused(/not signed with the release key/);
  });
});

/** A server that sends the file as the test wants it. */
async function openLyingServer(
  answer: (from: number) => { status: number; bytes: string | Buffer; ends: boolean },
) {
  using release = createReleaseFolder();
  const tls = await createSelfSigned(['localhost'], new Date());
  const ranges: (string | undefined)[] = [];
  const signed = JSON.stringify(release.key.sign(release.manifestOf('1.1.0')));
  const server: Server = createServer(tls, (request, response) => {
    if (request.url === '/download/release.json') return void response.end(signed);
    const range = request.headers.range;
    ranges.push(range);
    const { status, bytes, ends } = answer(Number(/\d+/.exec(range ?? '0')![0]));
    response.writeHead(status);
    response.write(bytes, () => (ends ? response.end() : response.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: release.key.publicKey,
    ranges,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a download that was interrupted continues where it stopped', async () => {
  const program = programOf('1.1.0');
  let isFirst = true;
  await using server = await openLyingServer((from) => {
    const whole = !isFirst;
    isFirst = false;
    return whole
      ? { status: 206, bytes: program.slice(from), ends: true }
      : { status: 200, bytes: program.slice(0, 300_000), ends: false };
  });
  using device = installTestProgram(server.key);
  const options = { ...device.options, server: { url: server.url } };

  await assert.rejects(installRelease(options));
  await installRelease(options);

  assert.equal(device.start('--version'), '1.1.0');
  assert.equal(server.ranges[0], undefined);
  assert.match(server.ranges[1]!, /^bytes=[1-9]\d{4,}-$/);
});

test('a truncated file is not installed', async () => {
  await using server = await openLyingServer(() => ({
    status: 200,
    bytes: programOf('1.1.0').slice(0, -1),
    ends: true,
  }));
  using device = installTestProgram(server.key);

  await assert.rejects(
    installRelease({ ...device.options, server: { url: server.url } }),
    /The download was interrupted/,
  );

  assert.equal(device.start('--version'), '1.0.0');
});

test('a server that sends more bytes than were signed is cut off', async () => {
  await using server = await openLyingServer(() => ({
    status: 200,
    bytes: Buffer.concat([programOf('1.1.0'), Buffer.from('more')]),
    ends: true,
  }));
  using device = installTestProgram(server.key);

  await assert.rejects(
    installRelease({ ...device.options, server: { url: server.url } }),
    /more bytes than were signed/,
  );

  assert.equal(device.start('--version'), '1.0.0');
});
