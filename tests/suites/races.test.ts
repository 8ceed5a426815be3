/** Races between processes and between servers: what may happen once happens once, and limits are exact. */
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '@drawbridge/server/store/open';
import type { Plan } from '@drawbridge/server/domain/plan';
import type { Body, Person } from '../kit/account.ts';
import { databases, openDatabaseFor, type DatabaseKind } from '../kit/database.ts';
import { openDoor } from '../kit/door.ts';
import { startHouse, type TestHouse } from '../kit/house.ts';
import { openAccount } from './scene.ts';
import type { Told, Wins } from './take-links.ts';
import { makePlace } from './test-store.ts';

/** How many processes race for links: one folder has one server, and the command line beside it. */
const processes: Record<DatabaseKind, number> = { sqlite: 2, postgres: 3 };
const links = 50;
const takers = 100;

/** The next thing a program says; it fails if the program ends before. */
async function heardFrom<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code]) => assert.fail(`the program ended with ${code}`));
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [Message];
  ended.catch(() => {});
  return message;
}

async function startTaker(place: { folder: string; url?: string | undefined }): Promise<ChildProcess> {
  const args = [place.folder, ...(place.url === undefined ? [] : [place.url])];
  const child = fork(join(import.meta.dirname, 'take-links.ts'), args);
  assert.equal(await heardFrom(child), 'open');
  return child;
}

async function winsOf(child: ChildProcess, told: Told): Promise<Wins> {
  const end = once(child, 'exit');
  child.send(told);
  const wins = await heardFrom<Wins>(child);
  assert.deepEqual(await end, [0, null]);
  return wins;
}

for (const { kind, skip } of databases)
  test(
    `of ${takers} who use one single-use link at once, in ${processes[kind]} processes on ${kind}, one gets in`,
    { skip },
    async () => {
      await using made = await makePlace(kind);
      const store = await openStore(made.place);
      const account = await openAccount(store);
      const digests: string[] = [];
      for (let count = 0; count < links; count++)
        digests.push(await account.link({ expireTime: store.now() + 300 }));
      await store.close();

      const children = await Promise.all(
        Array.from({ length: processes[kind] }, () => startTaker(made.place)),
      );
      const told = { digests, takers: Math.ceil(takers / processes[kind]) };
      const wins = await Promise.all(children.map((child) => winsOf(child, told)));

      const total = digests.map((digest) => wins.reduce((sum, each) => sum + each[digest]!, 0));
      assert.deepEqual(total, Array(links).fill(1));
    },
  );

/** One server, or two that share a PostgreSQL, with an account whose plan is limited and 50 who speak for its owner. */
async function crowd(
  houses: TestHouse[],
  plan: Partial<Plan>,
): Promise<{ account: Awaited<ReturnType<TestHouse['account']>>; people: Person[] }> {
  const [first] = houses as [TestHouse];
  const account = await first.account();
  await first.server.store.change('plan/set', { accountId: account.id, plan });
  const people = Array.from({ length: 50 }, (_, at): Person => {
    const client = houses[at % houses.length]!.door.client(account.owner.apiKey);
    return {
      ...account.owner,
      client,
      call: (id, params = {}) => client.request(id, params as never) as never,
    };
  });
  return { account, people };
}

async function withHouses(kind: DatabaseKind, work: (houses: TestHouse[]) => Promise<void>): Promise<void> {
  const database = await openDatabaseFor(kind);
  try {
    await using one = await startHouse({ env: database.env });
    if (kind === 'sqlite') return await work([one]);
    await using two = await startHouse({ env: database.env });
    await work([one, two]);
  } finally {
    await database.drop();
  }
}

/** What those were told who came too late. */
function checkRefusals(answers: { http: number; headers: Headers; body: Body }[], limit: number): void {
  for (const { http, headers, body } of answers) {
    assert.equal(http, 402);
    assert.equal(body.error?.code, 'request_limit');
    assert.equal(headers.get('retry-after'), '3600');
    assert.equal(headers.get('ratelimit'), '"hour";r=0;t=3600');
    assert.equal(headers.get('ratelimit-policy'), `"hour";q=${limit};w=3600`);
  }
}

for (const { kind, skip } of databases)
  describe(
    `limits of a plan under 50 clients on ${kind}, ${kind === 'sqlite' ? 'one server' : 'two servers'}`,
    { skip },
    () => {
      test('exactly as many requests pass as the hour allows, and nothing is done for the others', () =>
        withHouses(kind, async (houses) => {
          const limit = 120;
          const { account, people } = await crowd(houses, { requests: limit });

          const rounds = await Promise.all(
            people.map(async (person) => [
              await person.call('groups/create', { name: 'a' }),
              await person.call('groups/create', { name: 'b' }),
              await person.call('groups/list'),
              await person.call('groups/create', { name: 'c' }),
            ]),
          );

          const answers = rounds.flat();
          const passed = answers.filter(({ http }) => http === 200);
          assert.equal(passed.length, limit);
          checkRefusals(
            answers.filter(({ http }) => http !== 200),
            limit,
          );
          const left = passed.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)?.[1]));
          assert.deepEqual(
            left.toSorted((a, b) => b - a),
            Array.from({ length: limit }, (_, at) => limit - 1 - at),
          );
          const created = passed.filter(({ body }) => 'id' in body).length;
          const groups = await houses[0]!.server.store.groups.list(account.id, 'all');
          assert.equal(groups.length, created);
        }));

      test('exactly as many invitations are made as the month allows, and the others hear 402', () =>
        withHouses(kind, async (houses) => {
          const { account, people } = await crowd(houses, { invitations: 17 });

          const answers = await Promise.all(people.map((person) => person.call('support/create')));

          const refused = answers.filter(({ http }) => http !== 200);
          assert.equal(refused.length, 50 - 17);
          assert.deepEqual(
            new Set(refused.map(({ http, body }) => `${http} ${body.error?.code}`)),
            new Set(['402 plan_limit']),
          );
          const { body } = await account.owner.call('support/list');
          assert.deepEqual([body['remain'], body['data'].length], [0, 17]);
        }));

      test('the next hour begins anew', () =>
        withHouses(kind, async (houses) => {
          const { account } = await crowd(houses, { requests: 1 });
          const codes = [];
          codes.push(
            (await account.owner.call('groups/list')).http,
            (await account.owner.call('groups/list')).http,
          );
          for (const house of houses) house.advance(3_600);
          codes.push((await account.owner.call('groups/list')).http);

          assert.deepEqual(codes, [200, 402, 200]);
        }));
    },
  );

describe(
  'two servers that start at the same moment on one empty PostgreSQL',
  { skip: databases[1]!.skip },
  () => {
    test('make the first account once, and show its secrets once', async () => {
      for (let round = 0; round < 2; round++) {
        const database = await openDatabaseFor('postgres');
        const starts = await Promise.allSettled([
          startHouse({ env: database.env }),
          startHouse({ env: database.env }),
        ]);
        const houses = starts.map((start) =>
          start.status === 'fulfilled' ? start.value : assert.fail(String(start.reason)),
        );
        const made = houses.flatMap(({ server }) => server.first ?? []);
        const listed = await houses[0]!.server.store.accounts.list();
        const roles = await houses[0]!.server.store.roles.list(listed[0]!.accountId, {
          offset: 0,
          limit: 100,
        });
        const answers = await Promise.all(
          houses.map(({ server }) => openDoor(server).client(made[0]!.apiKey).request('groups/list', {})),
        );
        for (const house of houses) await house[Symbol.asyncDispose]();
        await database.drop();

        assert.deepEqual([made.length, listed.length, roles.length], [1, 1, 6]);
        assert.deepEqual(
          answers.map(({ http }) => http),
          [200, 200],
        );
      }
    });
  },
);
