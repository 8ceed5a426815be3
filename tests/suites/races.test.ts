/** Races between processes and between servers: what may happen once happens once. */
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { isFault } from '@drawbridge/contract/faults';
import { openStore } from '@drawbridge/server/store/engine/open';
import { databases, openDatabaseFor, type DatabaseKind } from '../kit/server/database.ts';
import { startService } from '../kit/server/service.ts';
import { skipWithout } from '../kit/requirements.ts';
import { createSharedSettings } from '../kit/server/shared-settings.ts';
import { startNats } from '../kit/server/nats.ts';
import { arrival, openAccount } from './store/fixture.ts';
import type { TakeOrder, TakenCounts } from './take-links.ts';
import { createStorePlace, openTestStore } from './store/test-store.ts';

/** How many processes race for links: one folder has one server, and the command line beside it. */
const processes: Record<DatabaseKind, number> = { sqlite: 2, postgres: 3 };
const links = 500;
const takers = 30;

/** The next line of a program's output; rejects if the program ends first. */
async function nextMessageOf<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code]) => assert.fail(`the program ended with ${code}`));
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message];
  ended.catch(() => {});
  return message;
}

async function startTaker(place: { folder: string; url?: string | undefined }): Promise<ChildProcess> {
  const args = [place.folder, ...(place.url === undefined ? [] : [place.url])];
  const child = fork(join(import.meta.dirname, 'take-links.ts'), args);
  assert.equal(await nextMessageOf(child), 'open');
  return child;
}

async function winsOf(child: ChildProcess, order: TakeOrder): Promise<TakenCounts> {
  const end = once(child, 'exit');
  child.send(order);
  const wins = await nextMessageOf<TakenCounts>(child);
  assert.deepEqual(await end, [0, null]);
  return wins;
}

for (const { kind, skip } of databases)
  test(
    `of ${takers} clients that use one single-use link at once, in ${processes[kind]} processes on ${kind}, one gets in`,
    { skip },
    async () => {
      await using made = await createStorePlace(kind);
      const store = await openStore(made.place);
      const account = await openAccount(store);
      const digests: string[] = [];
      for (let count = 0; count < links; count++)
        digests.push(await account.link({ expireTime: store.now() + 300 }));
      await store.close();

      const children = await Promise.all(
        Array.from({ length: processes[kind] }, () => startTaker(made.place)),
      );
      const order = { digests, takers: Math.ceil(takers / processes[kind]) };
      const wins = await Promise.all(children.map((child) => winsOf(child, order)));

      const total = digests.map((digest) => wins.reduce((sum, each) => sum + each[digest]!, 0));
      assert.deepEqual(total, Array(links).fill(1));
    },
  );

test(
  'devices arrive while a change of their account and the arrival of another device are not committed yet',
  { skip: databases[1]!.skip },
  async () => {
    await using opened = await openTestStore('postgres');
    const { store, sql } = opened;
    const { accountId, agent } = await openAccount(store);
    const [one, other] = [await agent(), await agent()];
    const arrive = ({ id }: { id: number }) =>
      store.change('devices/arrive', {
        accountId,
        id,
        presented: '',
        epoch: 'epoch',
        uplinkVersion: 3,
        ...arrival,
      });
    await arrive(one);
    await sql('begin');
    await sql(`update account set rights_version = rights_version + 1 where account_id = ${accountId}`);
    await sql(`update list_version set version = version + 1 where account_id = ${accountId}`);

    assert.ok(!isFault(await arrive(other)));

    await sql('rollback');
  },
);

test(
  'two servers that start at the same moment on one empty PostgreSQL create the first account once',
  { skip: databases[1]!.skip || skipWithout('nats-server') },
  async () => {
    await using nats = await startNats();
    using shared = await createSharedSettings();
    for (let round = 0; round < 2; round++) {
      const database = await openDatabaseFor('postgres');
      const env = { ...database.env, ...shared.env, DRAWBRIDGE_BUS: nats.url };
      const starting = [startService({ env }), startService({ env })];
      const services = await Promise.all(starting);
      const { store } = services[0]!.server;

      const made = services.flatMap(({ server }) => server.first ?? []);
      const accounts = await store.accounts.list();
      const roles = await store.roles.list(accounts[0]!.accountId, { offset: 0, limit: 100 });
      const answers = await Promise.all(
        services.map(({ testClient }) => testClient.sdkClient(made[0]!.apiKey).request('groups/list', {})),
      );
      for (const service of services) await service[Symbol.asyncDispose]();
      await database.drop();

      assert.deepEqual([made.length, accounts.length, roles.length], [1, 1, 6]);
      assert.deepEqual(
        answers.map(({ http }) => http),
        [200, 200],
      );
    }
  },
);
