/** Settings of several servers that do not fit together: each is refused at the start, in one sentence that says what to do. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runAdmin } from '@drawbridge/server/admin/run';
import { newSecretKey } from '@drawbridge/server/store/secrets/secret-box';
import { eventually } from '../../kit/eventually.ts';
import { must } from '../../kit/server/account.ts';
import { openDatabaseFor, type TestDatabase } from '../../kit/server/database.ts';
import { startNats, type Nats } from '../../kit/server/nats.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { createEnrolToken, waitUntilOnline } from '../../kit/server/enrolment.ts';
import { createSharedSettings, type SharedSettings } from '../../kit/server/shared-settings.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { startFakeDevice } from '../../kit/session/session-ends.ts';
import { someDirectory } from '../../suites/store/fixture.ts';

const skip = skipWithout('PostgreSQL') || skipWithout('nats-server');

describe('servers on one database', { skip }, () => {
  let [nats, database, shared]: [Nats?, TestDatabase?, SharedSettings?] = [];
  let env: Record<string, string>;
  before(async () => {
    [nats, database, shared] = await Promise.all([
      startNats(['--user', 'drawbridge', '--pass', 'p@ss word']),
      openDatabaseFor('postgres'),
      createSharedSettings(),
    ]);
    const bus = nats.url.replace('//', '//drawbridge:p%40ss%20word@');
    env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: bus };
  });
  after(async () => {
    shared?.[Symbol.dispose]();
    await nats?.[Symbol.asyncDispose]();
    await database?.drop();
  });

  const without = (...names: string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

  async function refusalOf(settings: Record<string, string>): Promise<string> {
    const service = await startService({ env: settings, realTime: true }).catch(
      (error: Error) => error.message,
    );
    if (typeof service === 'string') return service;
    await service[Symbol.asyncDispose]();
    return 'started';
  }

  test('start together with a user and a password for NATS', async () => {
    await using one = await startService({ env, realTime: true });
    assert.equal(await refusalOf(env), 'started');
    assert.deepEqual(
      one.logged.filter((line) => line.includes('bus')),
      [],
    );
  });

  for (const [name, address] of [
    ['a wrong password', (url: string) => url.replace('//', '//drawbridge:wrong@')],
    ['no password', (url: string) => url],
    ['a token that NATS does not know', (url: string) => url.replace('//', '//tokentoken@')],
  ] as const)
    test(`are refused with ${name}, which the message does not repeat`, async () => {
      const message = await refusalOf({ ...env, DRAWBRIDGE_BUS: address(nats!.url) });
      assert.match(
        message,
        /^NATS at DRAWBRIDGE_BUS does not accept this server: Authorization Violation\.$/i,
      );
    });

  test('are told of a server that is on another NATS, by their log and by doctor', async () => {
    await using elsewhere = await startNats();
    await using one = await startService({ env, realTime: true });
    await using other = await startService({
      env: { ...env, DRAWBRIDGE_BUS: elsewhere.url },
      realTime: true,
    });
    const told = ({ logged }: TestService) =>
      logged.filter((line) => line.includes('does not answer on the bus')).length;
    const diagnose = async (settings: Record<string, string>) => {
      let printed = '';
      const process = { env: settings, folder: one.folder, out: (text: string) => void (printed += text) };
      await runAdmin(['doctor', '--json'], { ...process, err: () => {} });
      const { checks } = JSON.parse(printed) as { checks: { name: string; state: string; says: string }[] };
      return checks.find(({ name }) => name === 'bus')!;
    };

    const [split, wrong] = [await diagnose(env), await diagnose({ ...env, DRAWBRIDGE_BUS: nats!.url })];
    await eventually(
      () => [told(one), told(other)],
      (counts) => counts.every((count) => count > 0),
      60_000,
    );
    await other[Symbol.asyncDispose]();
    await using same = await startService({ env, realTime: true });
    const together = await diagnose(env);

    assert.deepEqual([told(one), told(same)], [1, 0]);
    assert.equal(split.state, 'problem');
    assert.match(split.says, /do not answer: 127\.0\.0\.1:\d+\. Give all of them a DRAWBRIDGE_BUS/);
    assert.match(wrong.says, /^NATS at DRAWBRIDGE_BUS does not accept this server: Authorization Violation/i);
    assert.deepEqual([together.state, together.says.at(-2)], ['ok', '2']);
  });

  test('are refused without a bus beside another', async () => {
    await using one = await startService({ env, realTime: true });
    assert.match(await refusalOf(without('DRAWBRIDGE_BUS')), /^Another server runs on this database\./);
    assert.equal(one.server.config.bus?.addresses.length, 1);
  });

  test('are refused beside one that has no bus', async () => {
    await using alone = await startService({ env: without('DRAWBRIDGE_BUS'), realTime: true });
    assert.match(await refusalOf(env), /runs without DRAWBRIDGE_BUS/);
    await alone.restart();
  });

  for (const [name, settings, message] of [
    ['attached files', ['DRAWBRIDGE_FILES'], /^DRAWBRIDGE_FILES is not the folder/],
    ['recordings', ['DRAWBRIDGE_RECORDINGS'], /^DRAWBRIDGE_RECORDINGS is not the folder/],
    [
      'their certificate',
      ['DRAWBRIDGE_TLS_CERT', 'DRAWBRIDGE_TLS_KEY', 'DRAWBRIDGE_PUBLIC_CERT'],
      /^The certificate of this server differs/,
    ],
  ] as const)
    test(`are refused if they do not share ${name}`, async () => {
      await using one = await startService({ env, realTime: true });
      assert.match(await refusalOf(without(...settings)), message);
      assert.ok(one.server.store.now() > 0);
    });

  test('need no common certificate behind a proxy that presents one', async () => {
    const proxied = {
      ...without('DRAWBRIDGE_TLS_CERT', 'DRAWBRIDGE_TLS_KEY', 'DRAWBRIDGE_PUBLIC_CERT'),
      DRAWBRIDGE_TRUSTED_PROXIES: '127.0.0.1',
    };
    await using one = await startService({ env: proxied, realTime: true });
    await using other = await startService({ env: proxied, realTime: true });

    assert.notEqual(one.server.certificate.fingerprint256, other.server.certificate.fingerprint256);
  });

  test('are refused if their public addresses differ', async () => {
    const at = (host: string) => ({ ...env, DRAWBRIDGE_PUBLIC_URL: `https://${host}.example.com` });
    await using one = await startService({ env: at('help'), realTime: true });
    const differs = /^DRAWBRIDGE_PUBLIC_URL differs from that of the other servers/;
    assert.match(await refusalOf(at('other')), differs);
    assert.match(await refusalOf(env), differs);
    assert.equal(await refusalOf(at('help')), 'started');
    assert.ok(one.server.store.now() > 0);
  });

  /** A key file of one node, with these keys. */
  function withKeys(name: string, ...keys: string[]): Record<string, string> {
    const file = join(shared!.folder, name);
    writeFileSync(file, `${keys.join('\n')}\n`);
    return { ...env, DRAWBRIDGE_SECRETS_KEY_FILE: file };
  }

  const [key, newKey] = [newSecretKey(), newSecretKey()];

  test('are refused without the key of stored secrets that the others have', async () => {
    await using one = await startService({ env: withKeys('one', newKey, key), realTime: true });
    const lacks = /^DRAWBRIDGE_SECRETS_KEY_FILE lacks the key with which the other servers/;
    assert.match(await refusalOf(env), lacks);
    assert.match(await refusalOf(withKeys('two', key)), lacks);
    assert.equal(await refusalOf(withKeys('two', key, newKey)), 'started');
    assert.match(
      await refusalOf({ ...env, DRAWBRIDGE_SECRETS_KEY_FILE: '/nowhere' }),
      /^The keys of stored secrets cannot be read from \/nowhere: ENOENT/,
    );
    assert.ok(one.server.store.now() > 0);
  });

  test('store secrets in clear until all have the key, then seal them, and change keys one after the other', async () => {
    const sealedWith = async (service: TestService) => {
      const [row] = await runSql(service, 'select bind_password as stored from directory');
      return /^v1\.([\w-]{8})\./.exec(String(row?.['stored']))?.[1];
    };
    const passwordAt = async ({ server }: TestService) =>
      (await server.store.directories.connection(created.accountId, created.id))?.bindPassword;
    const first = await startService({ env, realTime: true });
    const account = await first.account();
    const given = { accountId: account.id, by: account.owner.id, ...someDirectory };
    const created = { ...given, ...(await must(first.server.store, 'directories/create', given)) };
    await using second = await startService({ env: withKeys('second', key), realTime: true });
    const beside = [await sealedWith(second), await passwordAt(first), await passwordAt(second)];
    await first[Symbol.asyncDispose]();
    const old = await eventually(
      () => sealedWith(second),
      (id) => id !== undefined,
    );
    // The same file with a new key before the old one, on one node and then on the other.
    await using third = await startService({ env: withKeys('third', newKey, key), realTime: true });
    const between = [await sealedWith(third), await passwordAt(third)];
    withKeys('second', newKey, key);
    await second.restart();
    const renewed = await eventually(
      () => sealedWith(second),
      (id) => id !== old,
    );

    assert.deepEqual(beside, [undefined, 'secret', 'secret']);
    assert.deepEqual(between, [old, 'secret']);
    assert.ok(renewed);
    assert.deepEqual([await passwordAt(second), await passwordAt(third)], ['secret', 'secret']);
    assert.ok(second.logged.some((line) => line.includes('stored in clear until all servers')));
  });

  test('of two deployments on one NATS leave devices of the other with the same ids alone', async () => {
    const otherDatabase = await openDatabaseFor('postgres');
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => otherDatabase.drop());
    const stores = [env, { ...env, ...otherDatabase.env }];
    const [own, foreign] = [
      cleanup.use(await startService({ env: stores[0]!, realTime: true })),
      cleanup.use(await startService({ env: stores[1]!, realTime: true })),
    ];
    const enrol = async (service: TestService) => {
      const { owner } = await service.account();
      return {
        owner,
        device: cleanup.use(await startFakeDevice(service.testClient.baseUrl, await createEnrolToken(owner))),
      };
    };
    const equal = await enrol(own);
    let other = await enrol(foreign);
    while (other.device.id < equal.device.id) other = await enrol(foreign);
    const kicked: number[] = [];
    for (const { device } of [equal, other]) void device.rogue.closed.then(({ code }) => kicked.push(code));
    await waitUntilOnline(equal.owner, equal.device.id);
    await waitUntilOnline(other.owner, other.device.id);

    const rebooted = await equal.owner.call('agents/reboot', { id: equal.device.id });
    const alsoRebooted = await other.owner.call('agents/reboot', { id: other.device.id });

    assert.equal(other.device.id, equal.device.id);
    assert.deepEqual([rebooted.http, alsoRebooted.http, kicked], [200, 200, []]);
    for (const { device } of [equal, other])
      assert.equal(device.commands.filter(({ name }) => name === 'reboot').length, 1);
  });

  test('may start in any order after the others have ended', async () => {
    await (await startService({ env: without('DRAWBRIDGE_BUS'), realTime: true }))[Symbol.asyncDispose]();
    assert.equal(await refusalOf(env), 'started');
    assert.equal(await refusalOf(without('DRAWBRIDGE_FILES')), 'started');
  });
});
