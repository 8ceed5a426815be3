/** Replacing the certificate while the server runs: detected soon, and only once certificate and key match. */
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
  events: EventEmitter;
  reports: unknown[];
}

async function openScene(everyMs: number): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(certFile, first.cert), writeFile(keyFile, first.key)]);
  const events = new EventEmitter();
  const reports: unknown[] = [];
  const report = (kind: string, what: unknown): void => {
    reports.push(what);
    events.emit(kind, what);
  };
  const onChange = (pair: KeyPair): void => report('change', pair);
  const watch = watchCertificate(certFile, keyFile, {
    everyMs,
    onChange,
    onError: (error) => report('problem', error.message),
  });
  const dispose = async (): Promise<void> => {
    watch.close();
    await rm(folder, { recursive: true });
  };
  return { certFile, keyFile, watch, events, reports, [Symbol.asyncDispose]: dispose };
}

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

test('a new pair on disk is detected and reported', async () => {
  await using scene = await openScene(20);

  const change = once(scene.events, 'change');
  await replace(scene.certFile, second.cert);
  await replace(scene.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.deepEqual(scene.reports.at(-1), second);
});

test('a pair that does not match is reported as a problem, and used once the second file is replaced', async () => {
  await using scene = await openScene(20);

  const problem = once(scene.events, 'problem');
  await replace(scene.certFile, second.cert);
  assert.deepEqual(await problem, ['The key does not belong to the certificate.']);
  const change = once(scene.events, 'change');
  await replace(scene.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.equal(scene.reports.length, 2);
});

test('a missing or invalid file is reported once', async () => {
  await using scene = await openScene(20);

  const gone = once(scene.events, 'problem');
  await rm(scene.keyFile);
  assert.match(String(await gone), /ENOENT/);
  const invalid = once(scene.events, 'problem');
  await replace(scene.keyFile, 'rubbish');

  assert.match(String(await invalid), /cannot be read/);
  assert.equal(scene.reports.length, 2);
});

test('one change is reported once, however often the files are checked', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  await using scene = await openScene(1_000);
  await replace(scene.keyFile, second.key);

  const problem = once(scene.events, 'problem');
  context.mock.timers.tick(10_000);
  await problem;
  await scene.watch.reload();

  const message = 'The key does not belong to the certificate.';
  assert.deepEqual(scene.reports, [message, message]);
});

test('a reload reads the files at once, and a listener that throws is reported as a problem', async () => {
  await using scene = await openScene(60_000);
  await replace(scene.certFile, second.cert);
  await replace(scene.keyFile, second.key);

  await scene.watch.reload();
  scene.events.once('change', () => {
    throw new Error('the listener failed');
  });
  await scene.watch.reload();

  assert.deepEqual(scene.reports, [second, second, 'the listener failed']);
});
