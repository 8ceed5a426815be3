/** Secrets of other systems in the database of a server: sealed with a key beside it, also after an upgrade, a new key and a lost one. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAdmin } from '@drawbridge/server/admin/run';
import { newSecretKey } from '@drawbridge/server/store/secrets/secret-box';
import { openPanelClient } from '../kit/server/panel.ts';
import { runSql } from '../kit/server/raw-sql.ts';
import { startService, type TestService } from '../kit/server/service.ts';

const texts = { password: 'password-of-the-directory', secret: 'secret-of-the-provider' };

/** Nothing listens there. */
const loopback = {
  DRAWBRIDGE_DIRECTORY_LOOPBACK: 'true',
  DRAWBRIDGE_SSO_LOOPBACK: 'true',
  DRAWBRIDGE_WEBHOOK_LOOPBACK: 'true',
};
const nowhere = '127.0.0.1:9';

/** An account with a directory, a provider and a webhook, on a server with SQLite. */
async function openSecretsFixture() {
  const service = await startService({ env: loopback, cluster: false });
  const { apiKey } = (await service.account()).owner;
  const call = async (id: string, params: object = {}) => {
    const { body } = await service.testClient.sdkClient(apiKey).request(id as 'groups/list', params);
    return body as unknown as Record<string, any>;
  };
  const directory = await call('team/directory/create', {
    name: 'Company',
    url: `ldaps://${nowhere}`,
    bind_dn: 'cn=reader',
    bind_password: texts.password,
    base: 'dc=example',
  });
  const provider = await call('team/provider/create', {
    name: 'Company',
    issuer: `https://${nowhere}`,
    client_id: 'drawbridge',
    client_secret: texts.secret,
  });
  const webhook = await call('team/webhook/create', {
    name: 'Chat',
    url: `https://${nowhere}`,
    events: ['access_requested'],
  });
  const ids = { directory: directory['id'], provider: provider['id'], webhook: webhook['id'] };
  const all = [texts.password, texts.secret, webhook['secret'] as string];
  /** What is wrong with the directory, the provider and the webhook. */
  const problems = async () => {
    const replies = [
      await call('team/directory/plan', { id: ids.directory }),
      await call('team/provider/check', { id: ids.provider }),
      await call('team/webhook/test', { id: ids.webhook }),
    ];
    return replies.map((reply) => reply['data'].problem as string);
  };
  return { service, call, ids, all, problems, keyFile: join(service.folder, 'secrets.key') };
}

/** Those of the texts that are in a file of the folder: the database, its log, or any other. */
function textsIn(folder: string, all: readonly string[]): string[] {
  const files = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
  const bytes = files.map((name) => readFileSync(join(folder, name)));
  return all.filter((text) => bytes.some((each) => each.includes(text)));
}

/** The ids of the keys with which the values are sealed. */
async function keyIdsIn(service: TestService): Promise<string[]> {
  const rows = await runSql(
    service,
    `select bind_password as stored from directory union all select client_secret from provider
     union all select secret from webhook`,
  );
  return [...new Set(rows.map(({ stored }) => /^v1\.([\w-]{8})\./.exec(String(stored))?.[1] ?? 'clear'))];
}

async function runCommand({ folder }: TestService, ...args: string[]) {
  let out = '';
  const env = { DRAWBRIDGE_DATA: folder, DRAWBRIDGE_LISTEN: '127.0.0.1:0' };
  const print = (text: string): void => void (out += text);
  const exit = await runAdmin(args, { env, folder, out: print, err: print });
  return { exit, out };
}

const secretLines = (out: string): string[] => out.split('\n').filter((line) => / secrets: /.test(line));

test('no secret of another system is in a file of the server, its log or its audit log', async () => {
  const { service, call, all, problems, keyFile } = await openSecretsFixture();
  await using _closing = service;
  const [, , shown] = all;
  const rows = JSON.stringify(await runSql(service, 'select * from audit'));
  const audit = JSON.stringify(await call('audit/list', {}));

  assert.deepEqual(await problems(), ['unreachable', 'unreachable', 'unreachable']);
  assert.deepEqual(textsIn(service.folder, all), []);
  assert.deepEqual(textsIn(service.folder, ['whsec_', 'ldaps://']), ['ldaps://']);
  for (const text of all) assert.equal([...service.logged, rows, audit].join().includes(text), false);
  assert.match(shown!, /^whsec_\w{64}$/);
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
});

test('what an earlier version stored in clear is sealed at the start, and no copy of it remains', async () => {
  const { service, ids, all, problems } = await openSecretsFixture();
  await using _closing = service;
  await service.server.close(1_000);
  const [password, secret, signing] = all;
  await runSql(service, `update directory set bind_password = '${password}' where id = ${ids.directory}`);
  await runSql(service, `update provider set client_secret = '${secret}' where id = ${ids.provider}`);
  await runSql(
    service,
    `update webhook set secret = '${signing}', old_secret = '${signing}' where id = ${ids.webhook}`,
  );
  const before = textsIn(service.folder, all);
  await service.restart();

  assert.deepEqual(before, all);
  assert.deepEqual(textsIn(service.folder, all), []);
  assert.deepEqual(await problems(), ['unreachable', 'unreachable', 'unreachable']);
});

test('without its key the server starts, says what must be entered again, and takes it', async () => {
  const { service, call, ids, problems, keyFile } = await openSecretsFixture();
  await using _closing = service;
  const { sign_in_name: name } = (await call('team/provider/list'))['data'][0];
  writeFileSync(keyFile, `${newSecretKey()}\n`);
  await service.restart();
  const lost = await problems();
  const signIn = await openPanelClient(service).ask('sign-in/sso/begin', { name });
  const doctor = await runCommand(service, 'doctor');
  await call('team/directory/update', { id: ids.directory, bind_password: 'again' });
  await call('team/provider/update', { id: ids.provider, client_secret: 'again' });
  await call('team/webhook/renew', { id: ids.webhook });
  const entered = await problems();

  assert.deepEqual(lost, Array(3).fill('secret_unreadable'));
  assert.match(signIn.body.error!.message, /cannot be used now \(secret_unreadable\)/);
  assert.deepEqual(secretLines(doctor.out), [
    `problem  secrets: 3 of 3 cannot be opened: their key is not in ${keyFile}. Put it back there, or enter them again.`,
  ]);
  assert.ok(service.logged.some((line) => /stored secrets cannot be opened/.test(line)));
  assert.deepEqual(entered, Array(3).fill('unreachable'));
});

test('a new key seals everything from the next start on, and the older one can then be removed', async () => {
  const { service, problems, keyFile } = await openSecretsFixture();
  await using _closing = service;
  const [before] = await keyIdsIn(service);
  const rotated = await runCommand(service, 'secrets', 'rotate');
  const waiting = await runCommand(service, 'doctor');
  await service.restart();
  const after = await keyIdsIn(service);
  const done = await runCommand(service, 'doctor');
  writeFileSync(keyFile, `${readFileSync(keyFile, 'utf8').split('\n')[0]}\n`);
  await service.restart();

  assert.match(
    rotated.out,
    /secrets\.key has a new first key\. Restart the server: what is stored is then sealed/,
  );
  assert.match(secretLines(waiting.out).join(), /3 of 3 are sealed with an older key: restart the server/);
  assert.deepEqual([after.length, after.includes(before!), after.includes('clear')], [1, false, false]);
  assert.match(secretLines(done.out).join(), /Only its first key is in use: the others can be removed\.$/);
  assert.deepEqual(await problems(), ['unreachable', 'unreachable', 'unreachable']);
});

test('a backup does not contain the key, and says so', async () => {
  const { service, all, keyFile } = await openSecretsFixture();
  await using _closing = service;
  const { out } = await runCommand(service, 'backup', 'copy.db');
  const key = readFileSync(keyFile, 'utf8').trim();
  const copy = readFileSync(join(service.folder, 'copy.db'));

  assert.match(
    out,
    /The key of stored secrets is not in it: keep a copy of \S+secrets\.key too, apart from the backup\.\n$/,
  );
  assert.deepEqual(
    [key, ...all].filter((text) => copy.includes(text)),
    [],
  );
});

test('a server with a key file that cannot be read does not start', async () => {
  const { service, keyFile } = await openSecretsFixture();
  await using _closing = service;
  writeFileSync(keyFile, 'not a key\n');

  await assert.rejects(service.restart(), {
    message: `The keys of stored secrets cannot be read from ${keyFile}: key 1 is not 32 bytes in base64.`,
  });
});
