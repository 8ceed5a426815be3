/**
 * The server survives the failures of what it depends on: a PostgreSQL outage, devices that send malformed
 * answers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openDatabaseFor } from '../kit/server/database.ts';
import { startService } from '../kit/server/service.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createDataFolder, launchServer } from './launched-server.ts';

/** Cuts everyone off from the database as a crash would, and restores it. */
async function openSwitch(url: string) {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
  await client.connect();
  const allow = (allowed: boolean) =>
    client.query(`alter database ${name} with allow_connections ${allowed}`);
  const cut = () =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return {
    cut,
    off: async () => void (await allow(false), await cut()),
    on: () => allow(true),
    close: () => client.end(),
  };
}

test(
  'during a PostgreSQL outage requests fail and say so; afterwards the server continues',
  { skip: skipWithout('PostgreSQL') },
  async (context) => {
    using data = createDataFolder();
    const database = await openDatabaseFor('postgres');
    const power = await openSwitch(database.env['DRAWBRIDGE_DATABASE']!);
    context.after(async () => {
      await power.close();
      await database.drop();
    });
    await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, ...database.env });
    const client = server.testClient.sdkClient(server.apiKey);
    const create = async (name: string) => (await client.request('groups/create', { name })).http;
    const listed = async () =>
      (await client.request('groups/list', {})).body.data?.map((group) => group.name);
    const ready = async () => (await server.testClient.send({ path: '/readyz' })).http;
    await create('before');

    await power.off();
    const during = await client.request('groups/list', {});
    const [written, readiness, health] = [
      await create('during'),
      await ready(),
      await server.testClient.send({ path: '/healthz' }),
    ];
    await power.on();
    const [after, readyAgain] = [await create('after'), await ready()];

    assert.deepEqual([during.http, during.body.error?.code], [503, 'storage_unavailable']);
    assert.deepEqual(Object.keys(during.body), ['error']);
    assert.doesNotMatch(JSON.stringify(during.body), /postgres|database|ECONN|test_/i);
    assert.deepEqual([written, readiness, health.http], [503, 503, 200]);
    assert.deepEqual([after, readyAgain], [200, 200]);
    assert.deepEqual(await listed(), ['before', 'after']);
    server.send('SIGTERM');
    const { code, err } = await server.ended;
    assert.equal(code, 0);
    assert.doesNotMatch(err, /unhandled|uncaught/i);
  },
);

test(
  'connections that break in the middle of many requests lose at most those requests, and no acknowledged change',
  { skip: skipWithout('PostgreSQL') },
  async (context) => {
    using data = createDataFolder();
    const database = await openDatabaseFor('postgres');
    const power = await openSwitch(database.env['DRAWBRIDGE_DATABASE']!);
    context.after(async () => {
      await power.close();
      await database.drop();
    });
    await using server = await launchServer({ DRAWBRIDGE_DATA: data.folder, ...database.env });
    const client = server.testClient.sdkClient(server.apiKey);
    const promised: string[] = [];
    const codes = new Set<number>();
    const write = async (worker: number): Promise<void> => {
      for (let at = 0; at < 20; at++) {
        const name = `${worker} ${at}`;
        const { http } = await client.request('groups/create', { name });
        codes.add(http);
        if (http === 200) promised.push(name);
      }
    };
    const writing = Promise.all(Array.from({ length: 10 }, (_, worker) => write(worker)));
    for (let cuts = 0; cuts < 5; cuts++) {
      const before = promised.length;
      await power.cut();
      while (promised.length < Math.min(before + 10, 100)) await client.request('plan/info', {});
    }
    await writing;

    const { body } = await client.request('groups/list', {});
    const there = new Set(body.data?.map((group) => group.name));
    assert.deepEqual(
      promised.filter((name) => !there.has(name)),
      [],
    );
    assert.deepEqual(
      [...codes].filter((http) => http !== 200 && http !== 503),
      [],
    );
    assert.ok(promised.length >= 100);
  },
);

test('a device that answers with malformed data, or fails to answer, does not bring the server down', async () => {
  await using service = await startService();
  const account = await service.account();
  const [odd, failing, silent] = [await account.agent(), await account.agent(), await account.agent()];
  await service.plugIn(odd.id, { nonsense: [1, 2, 3] } as never);
  service.server.bus.answer(`agent.${failing.id}.command`, () =>
    Promise.reject(new Error('the channel broke')),
  );

  const answers = [];
  for (const { id } of [odd, failing, silent]) {
    answers.push((await account.owner.call('agents/update', { id, name: 'renamed' })).http);
    answers.push((await account.owner.call('agents/reboot', { id })).http);
    answers.push((await account.owner.call('agents/logout', { id })).http);
  }

  assert.deepEqual(answers, [200, 400, 200, 200, 400, 200, 200, 400, 200]);
});
