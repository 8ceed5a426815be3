/** Whom the command line trusts: certificates, fingerprints, and the keys it stores. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
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

test('the fingerprint of the certificate is enough to trust it, however it is written', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const settings = { ...fixture.env, DRAWBRIDGE_CA: undefined };

  for (const pin of [shown.fingerprint, shown.fingerprint.toLowerCase().replaceAll(':', '')]) {
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

test('login saves working settings, readable only by their owner, and later commands use them', async () => {
  await using fixture = await startCliFixture({ 'groups/list': { body: { data: [] } } });
  const nothing = { XDG_CONFIG_HOME: join(fixture.folder, 'xdg') };
  const file = join(fixture.folder, 'xdg/drawbridge/profiles.json');
  const line = ['login', '--server', `${fixture.address}/`, '--key', '-', '--fingerprint', shown.fingerprint];

  const saved = await fixture.type([...line, '--profile', 'work'], nothing, 'abcdefghij\n');
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
