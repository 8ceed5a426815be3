/** Starts that must not happen: each is refused with one sentence that says what to do, and an exit code. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '@drawbridge/server/store/engine/open';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { databases, openDatabaseFor } from '../kit/server/database.ts';
import { openSql } from '../suites/store/test-store.ts';
import { runToEnd, createDataFolder, launchServer, type ProcessExit } from './launched-server.ts';

/** One line, without a stack trace. */
function assertOneSentence({ code, signal, out, err }: ProcessExit, expected: RegExp, exitCode = 1): void {
  assert.deepEqual([code, signal, out], [exitCode, null, ''], err);
  assert.match(err, expected);
  assert.match(err, /^[A-Z].*\.\n$/);
}

test('a second server on the same data folder refuses at once, and the first continues', async () => {
  using data = createDataFolder();
  const env = { DRAWBRIDGE_DATA: data.folder };
  const began = performance.now();
  await using first = await launchServer(env);
  const start = performance.now() - began;

  const again = performance.now();
  const second = await runToEnd(env);
  const took = performance.now() - again;

  assertOneSentence(second, /^Another Drawbridge server is already running on the data folder \S+\.\n$/);
  // Most of it is the start of a process, which takes longer on a busy machine; waiting for the lock would
  // add to that.
  assert.ok(took < 2 * start + 3_000, `${took} ms, after a start of ${start} ms`);
  assert.equal((await first.testClient.send({ path: '/readyz' })).http, 200);
});

test('the folder is free again after its server was killed', async () => {
  using data = createDataFolder();
  const env = { DRAWBRIDGE_DATA: data.folder };
  const first = await launchServer(env);
  await first[Symbol.asyncDispose]();

  await using second = await launchServer(env);

  assert.equal((await second.testClient.send({ path: '/readyz' })).http, 200);
});

test('a port that is taken is named', async () => {
  using data = createDataFolder();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const ended = await runToEnd({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_LISTEN: `127.0.0.1:${port}` });
  other.close();

  assertOneSentence(
    ended,
    new RegExp(`^Another program already listens on 127\\.0\\.0\\.1:${port}; choose another`),
  );
});

test('a data folder that cannot be created or written is named', async () => {
  using data = createDataFolder();
  const file = join(data.folder, 'file');
  writeFileSync(file, '');

  const ended = await runToEnd({ DRAWBRIDGE_DATA: join(file, 'data') });

  assertOneSentence(
    ended,
    /^Drawbridge could not start because it cannot use \S+\/file\/data \(ENOTDIR\)\.$/m,
  );
});

test('a data folder without write permission is named', async () => {
  using data = createDataFolder();
  const folder = join(data.folder, 'closed');
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  // Root may write everywhere.
  if (process.getuid?.() === 0) return;

  const ended = await runToEnd({ DRAWBRIDGE_DATA: folder });

  assertOneSentence(ended, /^Drawbridge could not start because it cannot use \S+closed/);
});

test('a PostgreSQL that does not answer is named, without its password', async () => {
  using data = createDataFolder();
  const address = 'postgres://someone:hidden@127.0.0.1:1/somewhere';

  const ended = await runToEnd({ DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_DATABASE: address });

  assertOneSentence(ended, /^PostgreSQL does not answer at 127\.0\.0\.1:1 \(ECONNREFUSED\); start it/);
  assert.doesNotMatch(ended.err, /hidden/);
});

test('all wrong settings are named, each in one sentence', async () => {
  using data = createDataFolder();

  const ended = await runToEnd({
    DRAWBRIDGE_DATA: data.folder,
    DRAWBRIDGE_LISTEN: 'nowhere',
    DRAWBRIDGE_DATABSE: 'x',
    DRAWBRIDGE_DRAIN_SECONDS: '-1',
  });

  assert.deepEqual([ended.code, ended.out], [2, '']);
  const lines = ended.err.trimEnd().split('\n');
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^DRAWBRIDGE_\w+ (must be|is not a setting).*[.?]$/);
});

test('certificates that are missing or do not match are named', async () => {
  using data = createDataFolder();
  const [one, two] = await Promise.all([1, 2].map(() => createSelfSigned(['localhost'], new Date())));
  const [cert, key] = [join(data.folder, 'cert.pem'), join(data.folder, 'key.pem')];
  const env = { DRAWBRIDGE_DATA: data.folder, DRAWBRIDGE_TLS_CERT: cert, DRAWBRIDGE_TLS_KEY: key };

  const absent = await runToEnd(env);
  writeFileSync(cert, one!.cert);
  writeFileSync(key, two!.key);
  const unfit = await runToEnd(env);

  assertOneSentence(absent, /cert\.pem/);
  assertOneSentence(unfit, /cert\.pem/);
});

for (const { kind, skip } of databases)
  describe(`a database on ${kind}`, { skip }, () => {
    test('of a newer version is refused by the server in one sentence', async (context) => {
      using data = createDataFolder();
      const database = await openDatabaseFor(kind);
      context.after(() => database.drop());
      const place = { folder: data.folder, url: database.env['DRAWBRIDGE_DATABASE'] };
      await (await openStore(place)).close();
      const { sql, close } = await openSql(place);
      await sql('insert into migration (number) values (99)');
      await close();

      const ended = await runToEnd({ DRAWBRIDGE_DATA: data.folder, ...database.env });

      assertOneSentence(ended, /The database has schema 99, .* start a newer Drawbridge\.$/m);
    });
  });
