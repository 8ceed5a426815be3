/**
 * What servers keep of devices: random changes of several accounts on two nodes, and after each of them lists and
 * devices that several people read, which must equal those of a server that keeps nothing.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { digestOf, random } from '@drawbridge/server/edges/random';
import type { ChunkedBody } from '@drawbridge/server/http/content/chunked-body';
import { createKeptAnswers } from '@drawbridge/server/http/operations/kept-answers';
import { openDatabase } from '@drawbridge/server/store/engine/dialect';
import { openStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { databases, type DatabaseKind } from '../../kit/server/database.ts';
import { seed } from '../../kit/random.ts';
import { createStorePlace } from '../store/test-store.ts';
import { createRead, createUnkeptRead, type Read, type ReadRequest } from './reads.ts';
import type { ShownChange } from './step-context.ts';
import { steps } from './steps.ts';
import {
  createDraw,
  createRun,
  openListAccount,
  refill,
  type SeededDraw,
  type ListAccount,
} from './world.ts';

/** DRAWBRIDGE_TEST_STEPS=10000 for the long version. */
const stepCount = Number(process.env['DRAWBRIDGE_TEST_STEPS'] ?? 400);

/** Two nodes that keep lists, and a reader that keeps nothing, on one database. */
async function openNodes(kind: DatabaseKind) {
  const made = await createStorePlace(kind, true);
  let clock = 1_800_000_000;
  const place = { ...made.place, clock: () => clock };
  const nodes: { store: Store; read: Read }[] = [];
  for (let count = 0; count < 2; count += 1) {
    const store = await openStore(place);
    nodes.push({ store, read: createRead(store, createKeptAnswers()) });
  }
  const database = await openDatabase(place);
  return {
    nodes,
    readUnkept: createUnkeptRead(database),
    advance: (seconds: number) => void (clock += seconds),
    async [Symbol.asyncDispose]() {
      for (const { store } of nodes) await store.close();
      await database.close();
      await made[Symbol.asyncDispose]();
    },
  };
}

const drawListQuery = ({ groups }: ListAccount, draw: SeededDraw): string =>
  draw.oneOf(
    '',
    '',
    `search=${draw.oneOf('Device%201', 'Group%201', '10.0.0.1')}`,
    `group_id=${draw.pick(groups) ?? 1}`,
    `offset=${draw.below(3)}&limit=${1 + draw.below(5)}`,
  );

/** Half of the requests are lists, which are kept as a whole. */
function drawRead(account: ListAccount, draw: SeededDraw): Pick<ReadRequest, 'path' | 'query'> {
  const id = draw.pick(account.agents) ?? 1;
  const list = { path: '/v1/agents/list', query: drawListQuery(account, draw) } as const;
  return draw.oneOf<Pick<ReadRequest, 'path' | 'query'>>(
    list,
    list,
    list,
    { path: '/v1/agents/info', query: `agent_id=${id}` },
    { path: '/v1/groups/list', query: '' },
    { path: '/panel/api/devices', query: draw.oneOf('', `ids=${id}`) },
  );
}

/** Seconds: mostly a few, sometimes past a window of one-time links, seldom towards the ten days of limited devices. */
const drawSeconds = (draw: SeededDraw): number =>
  draw.below(10) === 0 ? 86_400 * 4 : draw.oneOf(1, 2, 3, 5, 8, 13, 45);

type Nodes = Awaited<ReturnType<typeof openNodes>>;

/** A request that is sent again and again, also after its person or key was removed. */
interface RepeatedRead extends ReadRequest {
  node: Nodes['nodes'][number];
}

const requestCount = 6;

/** Signs a person in to the panel. Returns a cookie that is not valid if they may not. */
async function openSession(store: Store, { accountId }: ListAccount, memberId: number): Promise<string> {
  const cookie = random.token();
  const session = { digest: digestOf(cookie), address: '127.0.0.1', userAgent: 'Browser' };
  await store.change('panel/sessions/open', { accountId, memberId, session });
  return cookie;
}

/** Compares what some people see on random nodes, and counts how often a kept list was sent again. */
function createComparer({ nodes, readUnkept }: Nodes, accounts: readonly ListAccount[], draw: SeededDraw) {
  const seen = new WeakSet<ChunkedBody>();
  const requests: RepeatedRead[] = [];
  let again = 0;
  const drawRequest = async (): Promise<RepeatedRead> => {
    const account = draw.pick(accounts)!;
    const [person, node] = [draw.pick(account.people)!, draw.pick(nodes)!];
    const read = drawRead(account, draw);
    const cookie = read.path.startsWith('/panel/') ? await openSession(node.store, account, person.id) : '';
    return { node, apiKey: draw.pick(person.apiKeys)!, cookie, ...read };
  };
  const compare = async ({ node, ...request }: RepeatedRead, what: string): Promise<void> => {
    const expected = await readUnkept(request);
    const { http, body, kept } = await node.read(request);
    assert.deepEqual([http, body], [expected.http, expected.body], what);
    if (kept && seen.has(kept)) again += 1;
    if (kept) seen.add(kept);
  };
  return {
    again: () => again,
    async compareAll(what: string): Promise<void> {
      if (draw.below(4) === 0) requests.shift();
      while (requests.length < requestCount) requests.push(await drawRequest());
      await setImmediate(); // nodes see the new sessions from the next turn on
      for (const request of requests)
        await compare(request, `seed ${seed}, ${what}: ${request.path}?${request.query}`);
    },
  };
}

/** Returns all changes in random order, again and again: each happens equally often, whatever the seed. */
function createNames(draw: SeededDraw): () => ShownChange {
  let left: ShownChange[] = [];
  return () => {
    if (left.length === 0) left = Object.keys(steps) as ShownChange[];
    return left.splice(draw.below(left.length), 1)[0]!;
  };
}

async function runSteps(kind: DatabaseKind): Promise<{ counts: Map<string, number>; again: number }> {
  await using opened = await openNodes(kind);
  const { nodes, advance } = opened;
  const draw = createDraw(seed);
  const counts = new Map<string, number>();
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  const accounts: ListAccount[] = [];
  const [{ store: first }] = nodes as [Nodes['nodes'][number]];
  for (let made = 0; made < 3; made += 1)
    accounts.push(await openListAccount(first, createRun(first, count), draw));
  const { compareAll, again } = createComparer(opened, accounts, draw);
  const takeName = createNames(draw);
  for (let step = 0; step < stepCount; step += 1) {
    const [account, { store }] = [draw.pick(accounts)!, draw.pick(nodes)!];
    const name = draw.below(5) === 0 ? 'time' : takeName();
    if (name === 'time') advance(drawSeconds(draw));
    else {
      const run = createRun(store, count);
      await steps[name]({ account, draw, run, store });
      await refill(account, run, draw);
    }
    await setImmediate(); // another node sees a change from the next turn on
    await compareAll(`step ${step}, after ${name}`);
  }
  return { counts, again: again() };
}

for (const { kind, skip } of databases)
  describe(`kept lists on ${kind}`, { skip }, () => {
    test('every list and every device equals one that was built for the request, whatever changed on which node', async () => {
      const { counts, again } = await runSteps(kind);

      assert.deepEqual(
        Object.keys(steps).filter((name) => !counts.has(name)),
        [],
        'every change that lists show has happened',
      );
      assert.ok(again > stepCount / 2, `${again} lists were sent again`);
    });

    test('a kept list shows at once that a device became blocked or that its lease ended', async () => {
      await using opened = await openNodes(kind);
      const [{ store, read }] = opened.nodes as [Nodes['nodes'][number]];
      const run = createRun(store, () => {});
      const { accountId, made, people, agents } = await openListAccount(store, run, createDraw(seed));
      const file = { name: 'a', size: 1, digest: '', type: '', note: '', author: '', blobKey: 'blob' };
      await run('files/add', { accountId, agentId: agents[0]!, ...file });
      await run('plan/set', { accountId, plan: { files: 0 } });
      opened.advance(7); // within a window of one-time links
      const { id } = await made.agent();
      const list = { path: '/v1/agents/list', query: '', cookie: '' } as const;
      const shownAfter = async (seconds: number, field: 'disabled' | 'online'): Promise<boolean> => {
        opened.advance(seconds);
        const { data } = JSON.parse((await read({ ...list, apiKey: people[0]!.apiKeys[0]! })).body) as {
          data: { id: number; disabled: boolean; online: boolean }[];
        };
        return data.find((each) => each.id === id)![field];
      };

      const blocked = [await shownAfter(10 * 86_400 - 1, 'disabled'), await shownAfter(1, 'disabled')];
      await run('presence/renew', { node: 'node', agents: [{ id }], leaseUntil: store.now() + 5 });
      const online = [await shownAfter(4, 'online'), await shownAfter(1, 'online')];

      assert.deepEqual({ blocked, online }, { blocked: [false, true], online: [true, false] });
    });
  });
