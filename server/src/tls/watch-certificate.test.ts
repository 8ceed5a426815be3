/** Replacing the certificate while the server runs: seen soon, only as a pair that fits, and never half-way. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type KeyPair, createSelfSigned } from './self-signed.ts';
import { type CertificateWatch, watchCertificate } from './watch-certificate.ts';

const [first, second] = (await Promise.all(
  [1, 2].map(() => createSelfSigned(['localhost'], new Date())),
)) as [KeyPair, KeyPair];

interface Scene extends AsyncDisposable {
  certFile: string;
  keyFile: string;
  watch: CertificateWatch;
  /** Emits 'change' and 'problem' as the watch reports them. */
  heard: EventEmitter;
  told: unknown[];
}

async function openScene(everyMs: number): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(certFile, first.cert), writeFile(keyFile, first.key)]);
  const heard = new EventEmitter();
  const told: unknown[] = [];
  const tell = (kind: string, what: unknown): void => {
    told.push(what);
    heard.emit(kind, what);
  };
  const onChange = (pair: KeyPair): void => tell('change', pair);
  const watch = watchCertificate(certFile, keyFile, {
    everyMs,
    onChange,
    onError: (error) => tell('problem', error.message),
  });
  const dispose = async (): Promise<void> => {
    watch.close();
    await rm(folder, { recursive: true });
  };
  return { certFile, keyFile, watch, heard, told, [Symbol.asyncDispose]: dispose };
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

test('a new pair on disk is noticed and handed on', async () => {
  await using scene = await openScene(20);

  const change = once(scene.heard, 'change');
  await replace(scene.certFile, second.cert);
  await replace(scene.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.deepEqual(scene.told.at(-1), second);
});

test('half a replacement is reported and not handed on, and the other half makes it good', async () => {
  await using scene = await openScene(20);

  const problem = once(scene.heard, 'problem');
  await replace(scene.certFile, second.cert);
  assert.deepEqual(await problem, ['The key does not belong to the certificate.']);
  const change = once(scene.heard, 'change');
  await replace(scene.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.equal(scene.told.length, 2);
});

test('a file that vanished or holds rubbish is reported once', async () => {
  await using scene = await openScene(20);

  const gone = once(scene.heard, 'problem');
  await rm(scene.keyFile);
  assert.match(String(await gone), /ENOENT/);
  const rubbish = once(scene.heard, 'problem');
  await replace(scene.keyFile, 'rubbish');

  assert.match(String(await rubbish), /cannot be read/);
  assert.equal(scene.told.length, 2);
});

test('one change is one report, however often the files are looked at', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  await using scene = await openScene(1_000);
  await replace(scene.keyFile, second.key);

  const problem = once(scene.heard, 'problem');
  context.mock.timers.tick(10_000);
  await problem;
  await scene.watch.reload();

  const words = 'The key does not belong to the certificate.';
  assert.deepEqual(scene.told, [words, words]);
});

test('asked to reload, it reads at once, and reports a listener that fails as a problem', async () => {
  await using scene = await openScene(60_000);
  await replace(scene.certFile, second.cert);
  await replace(scene.keyFile, second.key);

  await scene.watch.reload();
  scene.heard.once('change', () => {
    throw new Error('the listener failed');
  });
  await scene.watch.reload();

  assert.deepEqual(scene.told, [second, second, 'the listener failed']);
});
