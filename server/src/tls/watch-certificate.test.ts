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

interface WatchFixture extends AsyncDisposable {
  certFile: string;
  keyFile: string;
  watch: CertificateWatch;
  /** Emits 'change' and 'problem' as the watch reports them. */
  events: EventEmitter;
  reports: unknown[];
}

async function openWatchFixture(everyMs: number): Promise<WatchFixture> {
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
  await using fixture = await openWatchFixture(20);

  const change = once(fixture.events, 'change');
  await replace(fixture.certFile, second.cert);
  await replace(fixture.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.deepEqual(fixture.reports.at(-1), second);
});

test('a pair that does not match is reported as a problem, and used once the second file is replaced', async () => {
  await using fixture = await openWatchFixture(20);

  const problem = once(fixture.events, 'problem');
  await replace(fixture.certFile, second.cert);
  assert.deepEqual(await problem, ['The key does not belong to the certificate.']);
  const change = once(fixture.events, 'change');
  await replace(fixture.keyFile, second.key);

  assert.deepEqual(await change, [second]);
  assert.equal(fixture.reports.length, 2);
});

test('a missing or invalid file is reported once', async () => {
  await using fixture = await openWatchFixture(20);

  const gone = once(fixture.events, 'problem');
  await rm(fixture.keyFile);
  assert.match(String(await gone), /ENOENT/);
  const invalid = once(fixture.events, 'problem');
  await replace(fixture.keyFile, 'rubbish');

  assert.match(String(await invalid), /cannot be read/);
  assert.equal(fixture.reports.length, 2);
});

test('one change is reported once, however often the files are checked', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  await using fixture = await openWatchFixture(1_000);
  await replace(fixture.keyFile, second.key);

  const problem = once(fixture.events, 'problem');
  context.mock.timers.tick(10_000);
  await problem;
  await fixture.watch.reload();

  const message = 'The key does not belong to the certificate.';
  assert.deepEqual(fixture.reports, [message, message]);
});

test('a reload reads the files at once, and a listener that throws is reported as a problem', async () => {
  await using fixture = await openWatchFixture(60_000);
  await replace(fixture.certFile, second.cert);
  await replace(fixture.keyFile, second.key);

  await fixture.watch.reload();
  fixture.events.once('change', () => {
    throw new Error('the listener failed');
  });
  await fixture.watch.reload();

  assert.deepEqual(fixture.reports, [second, second, 'the listener failed']);
});
