/** Settings of several servers that do not fit together: each is refused at the start, in one sentence that says what to do. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openDatabaseFor, type TestDatabase } from '../kit/server/database.ts';
import { startNats, type Nats } from '../kit/server/nats.ts';
import { startService } from '../kit/server/service.ts';
import { createSharedSettings, type SharedSettings } from '../kit/server/shared-settings.ts';
import { skipWithout } from '../kit/requirements.ts';

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

  test('may start in any order after the others have ended', async () => {
    await (await startService({ env: without('DRAWBRIDGE_BUS'), realTime: true }))[Symbol.asyncDispose]();
    assert.equal(await refusalOf(env), 'started');
    assert.equal(await refusalOf(without('DRAWBRIDGE_FILES')), 'started');
  });
});
