/** The agent's files as they are built on Linux: the same bytes each time; for Windows with our name, and signed if asked. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { releaseKeyAsset } from '@drawbridge/agent/update/own-release-key';
import {
  buildTarget,
  bundleAgent,
  findPackages,
  nameOf,
  targets,
  type AgentTarget,
} from '../../../scripts/agent-files/build-target.ts';
import { agentFilesFolder, ensureAgent } from '../../../scripts/build-agent.ts';
import { loadOrCreateReleaseKey } from '../../../scripts/release/release-key.ts';
import { signExecutable } from '../../../scripts/agent-files/sign-executable.ts';
import { findVpx } from '../../../scripts/agent-files/vpx-library.ts';
import { skipWithout } from '../../kit/requirements.ts';

const target = targets.find(({ os, arch }) => os === 'windows' && arch === 'x64')!;
const packages = findPackages(target, true);
const skip = packages(target.runtime) === undefined && 'npm could not fetch the runtime for Windows';

/** The offset and the size of the signature of an executable; both are 0 if it has none. */
function signatureOf(bytes: Buffer): [number, number] {
  const optionalHeader = bytes.readUInt32LE(0x3c) + 24;
  const entry = optionalHeader + 112 + 4 * 8;
  return [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
}

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Path of the file that `npm run build:agent` builds. */
async function builtFile(of: AgentTarget): Promise<string> {
  await ensureAgent({ mayFetch: true });
  return join(agentFilesFolder, nameOf(of));
}

/** Builds the file again in a new folder, and returns its path. */
async function buildAgain(of: AgentTarget): Promise<string> {
  const inside = mkdtempSync(join(folder, 'again-'));
  await bundleAgent(inside);
  writeFileSync(join(inside, releaseKeyAsset), loadOrCreateReleaseKey().publicKey);
  await buildTarget(of, findPackages(of, true), inside);
  return join(inside, nameOf(of));
}

for (const linux of targets.filter(({ os }) => os === 'linux')) {
  const isMissing = findPackages(linux, true)(linux.runtime) === undefined;
  const reason = isMissing && `npm could not fetch ${linux.runtime}`;
  test(
    `the file for Linux on ${linux.arch} is the same when it is built again elsewhere`,
    { skip: reason },
    async () => {
      const first = await builtFile(linux);
      const second = await buildAgain(linux);

      assert.ok(readFileSync(first).equals(readFileSync(second)));
    },
  );
}

describe('the file for Windows', { skip }, () => {
  let file: string;
  before(async () => {
    file = await builtFile(target);
  });

  test('is the same when it is built again elsewhere', async () => {
    const again = await buildAgain(target);

    assert.ok(readFileSync(file).equals(readFileSync(again)));
  });

  test('has our name, and no longer the signature of the runtime', () => {
    const bytes = readFileSync(file);
    const runtime = readFileSync(join(packages(target.runtime)!, 'bin/node.exe'));

    assert.ok(bytes.includes(Buffer.from('Drawbridge agent', 'utf16le')));
    assert.notDeepEqual(signatureOf(runtime), [0, 0]);
    assert.deepEqual(signatureOf(bytes), [0, 0]);
  });

  test('has the encoder of VP8', { skip: skipWithout('clang for Windows') }, () => {
    assert.ok(readFileSync(file).includes(readFileSync(findVpx(target.arch)!)));
  });

  test('is signed with the certificate that is set', { skip: skipWithout('osslsigncode') }, async () => {
    const [key, certificate, bundle, password] = ['key', 'cert', 'p12', 'pass'].map((name) =>
      join(folder, name),
    );
    const openssl = (...args: string[]): void =>
      assert.equal(spawnSync('openssl', args, { encoding: 'utf8' }).status, 0);
    writeFileSync(password!, 'secret');
    const subject = ['-subj', '/CN=Test', '-addext', 'extendedKeyUsage=codeSigning'];
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key!,
      '-out',
      certificate!,
      ...subject,
    );
    const files = ['-inkey', key!, '-in', certificate!, '-out', bundle!];
    openssl('pkcs12', '-export', ...files, '-passout', `file:${password}`);
    const signed = join(folder, 'signed.exe');
    copyFileSync(file, signed);

    await signExecutable(signed, {
      DRAWBRIDGE_SIGN_PKCS12: bundle!,
      DRAWBRIDGE_SIGN_PASSWORD_FILE: password!,
    });

    const args = ['verify', '-CAfile', certificate!, '-in', signed];
    const { status, stdout } = spawnSync('osslsigncode', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
});
