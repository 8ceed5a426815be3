/** Whom the command line trusts: certificates, fingerprints, and the keys it stores. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { keyPinOf } from '@drawbridge/server/tls/pins';
import { other, shown, startCliFixture } from './fixture.ts';

test('an untrusted certificate is refused, and the message says how to trust it', async () => {
  await using fixture = await startCliFixture({ 'groups/remove': { body: { status: 0 } } });

  const { exit, err } = await fixture.type(['groups', 'remove', '--id', '1'], {
    ...fixture.env,
    DRAWBRIDGE_CA: undefined,
  });

  assert.equal(exit, 3);
  assert.match(err, /self-signed.*--fingerprint/);
  assert.deepEqual(fixture.received, []);
});

test('a certificate file that cannot be used is named', async () => {
  await using fixture = await startCliFixture();
  writeFileSync(join(fixture.folder, 'empty.pem'), 'nothing');
  const files: [string, RegExp][] = [
    ['none.pem', /^drawbridge: The certificate file \S+none\.pem cannot be read \(ENOENT\)\.\n$/],
    ['.', /^drawbridge: The certificate file \S+ cannot be read \(EISDIR\)\.\n$/],
    ['empty.pem', /^drawbridge: The certificate file \S+empty\.pem contains no certificate in PEM\.\n$/],
  ];

  for (const [file, sentence] of files) {
    const byFlag = await fixture.type(['groups', 'list', '--ca', file]);
    const byVariable = await fixture.type(['groups', 'list'], { ...fixture.env, DRAWBRIDGE_CA: file });
    assert.equal(byFlag.exit, 2);
    assert.match(byFlag.err, sentence);
    assert.deepEqual(byVariable, byFlag);
  }
});

test('the fingerprint of the certificate is enough to trust it, however it is written', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const settings = { ...fixture.env, DRAWBRIDGE_CA: undefined };

  const key = `sha256//${keyPinOf(shown.cert)}`;
  for (const pin of [shown.fingerprint, shown.fingerprint.toLowerCase().replaceAll(':', ''), key]) {
    const reply = await fixture.type(['groups', 'list', '--fingerprint', pin], settings);
    assert.deepEqual(reply, { exit: 0, out: 'none\n', err: '' });
  }
});

test('a certificate with another fingerprint gets nothing: no request, no key', async () => {
  await using fixture = await startCliFixture({ 'groups/remove': { body: { status: 0 } } });

  const { exit, err } = await fixture.type([
    'groups',
    'remove',
    '--id',
    '1',
    '--fingerprint',
    other.fingerprint,
  ]);

  assert.equal(exit, 3);
  assert.match(err, /does not have this fingerprint; nothing was sent/);
  assert.deepEqual(fixture.received, []);
});

test('a server on this machine is trusted by the certificate in its data folder', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const settings = { ...fixture.env, DRAWBRIDGE_CA: undefined };
  for (const data of ['data', 'elsewhere']) mkdirSync(join(fixture.folder, data, 'tls'), { recursive: true });
  writeFileSync(join(fixture.folder, 'data/tls/cert.pem'), shown.cert);
  writeFileSync(join(fixture.folder, 'elsewhere/tls/cert.pem'), other.cert);

  assert.equal((await fixture.type(['groups', 'list'], settings)).exit, 0);
  assert.equal(
    (await fixture.type(['groups', 'list'], { ...settings, DRAWBRIDGE_DATA: 'elsewhere' })).exit,
    3,
  );
});

test('without an address, the server on this machine, and on no other, is found by the settings that doctor reads', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const key = { DRAWBRIDGE_API_KEY: 'secret-key' };
  const listen = `127.0.0.1:${fixture.port}`;
  mkdirSync(join(fixture.folder, 'tls'));
  writeFileSync(join(fixture.folder, 'tls/cert.pem'), shown.cert);
  writeFileSync(join(fixture.folder, 'drawbridge.toml'), `listen = '0.0.0.0:${fixture.port}'\ndata = '.'\n`);
  writeFileSync(join(fixture.folder, 'other.toml'), `listen = '${listen}'\n`);
  const files = { DRAWBRIDGE_TLS_CERT: 'ca.pem', DRAWBRIDGE_TLS_KEY: 'key.pem' };
  const named = { ...key, ...files, DRAWBRIDGE_PUBLIC_URL: 'https://help.example.com' };

  const lines = [
    await fixture.type(['groups', 'list'], key),
    await fixture.type(['groups', 'list'], { ...named, DRAWBRIDGE_CONFIG: 'other.toml' }),
    await fixture.type(['groups', 'list'], { ...key, DRAWBRIDGE_CONFIG: 'other.toml', DRAWBRIDGE_DATA: '.' }),
  ];
  const free = await fixture.type(['groups', 'list'], { ...key, DRAWBRIDGE_LISTEN: '127.0.0.1:0' });
  const elsewhere = await fixture.type(['groups', 'list'], { ...key, DRAWBRIDGE_LISTEN: '192.0.2.7:443' });
  const wrong = await fixture.type(['groups', 'list'], { ...key, DRAWBRIDGE_LISTEN: 'nowhere' });

  for (const line of lines) assert.deepEqual(line, { exit: 0, out: 'none\n', err: '' });
  for (const { exit, err } of [free, elsewhere]) {
    assert.equal(exit, 2);
    assert.match(
      err,
      /name no address of this machine with a port: pass the address of the server with --server/,
    );
  }
  assert.match(wrong.err, /^drawbridge: DRAWBRIDGE_LISTEN must be host:port/);
});

test('only the certificate of the server on this machine is trusted under any name', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const strange = await createSelfSigned(['help.example.com'], new Date());
  writeFileSync(join(fixture.folder, 'strange.pem'), strange.cert);
  const settings = {
    DRAWBRIDGE_API_KEY: 'secret-key',
    DRAWBRIDGE_LISTEN: `127.0.0.1:${fixture.port}`,
    DRAWBRIDGE_TLS_CERT: 'strange.pem',
    DRAWBRIDGE_TLS_KEY: 'strange-key.pem',
  };

  const { exit } = await fixture.type(['groups', 'list'], settings);

  assert.equal(exit, 3);
  assert.deepEqual(fixture.received, []);
});

test('login saves working settings, readable only by their owner, and later commands use them', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const nothing = { XDG_CONFIG_HOME: join(fixture.folder, 'xdg') };
  const file = join(fixture.folder, 'xdg/drawbridge/profiles.json');
  const line = ['login', '--server', `${fixture.address}/`, '--key', '-', '--fingerprint', shown.fingerprint];

  const saved = await fixture.type([...line, '--profile', 'work'], nothing, { stdin: 'abcdefghij\n' });
  const used = await fixture.type(['groups', 'list', '--profile', 'work'], nothing);
  const byName = await fixture.type(['groups', 'list'], { ...nothing, DRAWBRIDGE_PROFILE: 'work' });
  const listed = await fixture.type(['profiles'], nothing);

  assert.deepEqual([saved.exit, used.exit, byName.exit], [0, 0, 0]);
  assert.equal(fixture.received[1]?.key, 'abcdefghij');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(listed.out, /work +https:\/\/localhost:\d+ +abcdef…\n/);
  assert.doesNotMatch(saved.out + listed.out, /abcdefghij/);
});

test('login with a key that the server refuses saves nothing', async () => {
  const error = { code: 'invalid_api_key', message: 'The API key is unknown.' };
  await using fixture = await startCliFixture({ 'groups/list': { http: 403, body: { error } } });

  const { exit, err } = await fixture.type(
    ['login', '--server', fixture.address, '--key', 'bad', '--ca', 'ca.pem'],
    {},
  );

  assert.deepEqual([exit, err], [1, 'drawbridge: The API key is unknown (invalid_api_key).\n']);
  assert.throws(() => readFileSync(join(fixture.folder, '.config/drawbridge/profiles.json')));
});

test('a saved key is never sent to another server than the one it was saved with', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  await using outsider = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  await fixture.type(['login', '--server', fixture.address, '--key', 'abcdefghij', '--ca', 'ca.pem'], {});

  const { exit, err } = await fixture.type(
    ['groups', 'list', '--server', outsider.address, '--ca', 'ca.pem'],
    {},
  );

  assert.equal(exit, 2);
  assert.match(err, /No API key/);
  assert.deepEqual(outsider.received, []);
});

test(
  'a profile file that others can read causes a warning',
  { skip: process.platform === 'win32' },
  async () => {
    await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
    await fixture.type(['login', '--server', fixture.address, '--key', 'abcdefghij', '--ca', 'ca.pem'], {});
    chmodSync(join(fixture.folder, '.config/drawbridge/profiles.json'), 0o644);

    const { exit, err } = await fixture.type(['groups', 'list'], {});

    assert.equal(exit, 0);
    assert.match(err, /chmod 600/);
  },
);
