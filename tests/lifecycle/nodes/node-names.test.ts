/** Servers with the same name, and servers that were thought dead: at most one of those that do not fit together continues. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually } from '../../kit/eventually.ts';
import { skipWithout } from '../../kit/requirements.ts';
import { openDatabaseFor, type TestDatabase } from '../../kit/server/database.ts';
import { startNats, type Nats } from '../../kit/server/nats.ts';
import { runSql } from '../../kit/server/raw-sql.ts';
import { startService, type TestService } from '../../kit/server/service.ts';
import { createSharedSettings, type SharedSettings } from '../../kit/server/shared-settings.ts';

const sameName = /^Another server runs under the name of this one/;
const now = 'extract(epoch from now())::bigint';

describe('servers on one database', { skip: skipWithout('PostgreSQL') || skipWithout('nats-server') }, () => {
  let [nats, database, shared]: [Nats?, TestDatabase?, SharedSettings?] = [];
  let alone: Record<string, string>;
  let beside: Record<string, string>;
  const folders: string[] = [];
  before(async () => {
    [nats, database, shared] = await Promise.all([
      startNats(),
      openDatabaseFor('postgres'),
      createSharedSettings(),
    ]);
    alone = { ...database.env, ...shared.env };
    beside = { ...alone, DRAWBRIDGE_BUS: nats.url };
  });
  after(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    shared?.[Symbol.dispose]();
    await nats?.[Symbol.asyncDispose]();
    await database?.drop();
  });

  /** A server with a data folder of its own, in which it has this name. */
  function start(settings: Record<string, string>, name: string): Promise<TestService> {
    const folder = mkdtempSync(join(tmpdir(), 'drawbridge-name-'));
    folders.push(folder);
    writeFileSync(join(folder, 'node-id'), name);
    return startService({ env: { ...settings, DRAWBRIDGE_DATA: folder }, realTime: true });
  }

  const outcomeOf = (started: Promise<TestService>): Promise<string> =>
    started.then(
      async (service) => (await service[Symbol.asyncDispose](), 'started'),
      (error: Error) => error.message,
    );

  /** The entry that a server leaves behind when it is killed, or that another server makes. */
  const enter = (service: TestService, name: string, hasBus: 0 | 1, lastAlive: number) =>
    runSql(
      service,
      `insert into node (id, alive_until, has_bus, shared, schema)
        values ('${name}', ${now} + 20 - ${lastAlive}, ${hasBus}, '{"start":"another"}', 1)
        on conflict (id) do update set shared = excluded.shared, alive_until = excluded.alive_until`,
    );

  test('are refused if the data folder of one is a copy of the other, with a bus and without', async () => {
    const outcomes: string[] = [];
    for (const settings of [beside, alone]) {
      await using one = await start(settings, 'twin');
      outcomes.push(await outcomeOf(start(settings, 'twin')));
      assert.ok(one.server.store.now() > 0);
    }

    for (const outcome of outcomes) assert.match(outcome, sameName);
  });

  test('start again under their name at once after they were killed, with a bus and without', async () => {
    const outcomes: string[] = [];
    for (const [settings, hasBus] of [
      [beside, 1],
      [alone, 0],
    ] as const) {
      const killed = await start(settings, 'killed');
      await killed.server.close(0);
      await enter(killed, 'killed', hasBus, hasBus ? 0 : 6);
      outcomes.push(await outcomeOf(start(settings, 'killed')));
      await killed[Symbol.asyncDispose]();
    }

    assert.deepEqual(outcomes, ['started', 'started']);
  });

  test('end without a bus when another server has started while they seemed dead', async () => {
    await using one = await start(alone, 'paused');
    await runSql(one, `delete from node where id = 'paused'`);
    await enter(one, 'replacement', 0, 0);

    const { message } = await one.server.broken;
    const left = await runSql(one, `delete from node returning id`);

    assert.match(message, /^Another server runs on this database\./);
    assert.deepEqual(left, [{ id: 'replacement' }]);
  });

  test('continue with a bus when another server has started while they seemed dead', async () => {
    await using one = await start(beside, 'frozen');
    await using two = await start(beside, 'newer');
    await runSql(one, `delete from node where id = 'frozen'`);

    assert.equal(await outcomeOf(start(beside, 'third')), 'started');
    const entered = () => runSql(one, `select id from node where id = 'frozen'`);
    const back = eventually(entered, (rows) => rows.length > 0);
    const ended = await Promise.race([
      ...[one, two].map(({ server }) => server.broken),
      back.then(() => undefined),
    ]);
    assert.equal(ended, undefined);
  });

  test('end when another server has taken their name, whose entry they leave alone', async () => {
    await using one = await start(beside, 'taken');
    await enter(one, 'taken', 1, 0);

    const { message } = await one.server.broken;
    await one.server.close(0);
    const left = await runSql(one, `delete from node returning shared`);

    assert.match(message, /^Another server has entered itself under the name of this one/);
    assert.deepEqual(left, [{ shared: '{"start":"another"}' }]);
  });
});
