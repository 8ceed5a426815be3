/**
 * Kept lists of devices: random changes of several accounts on two nodes, and after each of them lists of
 * several people that must equal those of a server that keeps nothing.
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { v1 } from '@drawbridge/contract/v1/index';
import { createAgentViewCache } from '@drawbridge/server/handlers/agent-view';
import type { HandlerContext } from '@drawbridge/server/handlers/handler';
import { isChunked, toWhole, type ChunkedBody } from '@drawbridge/server/http/content/chunked-body';
import { createDispatcher } from '@drawbridge/server/http/operations/dispatch';
import { createKeptAnswers, type KeptAnswers } from '@drawbridge/server/http/operations/kept-answers';
import { toHttpReply } from '@drawbridge/server/http/operations/reply';
import { apiTable, servedRoutes } from '@drawbridge/server/http/operations/served-table';
import { openDatabase } from '@drawbridge/server/store/engine/dialect';
import type { Database } from '@drawbridge/server/store/engine/database';
import { createStore, openStore } from '@drawbridge/server/store/engine/open';
import type { Store } from '@drawbridge/server/store/store';
import { databases, type DatabaseKind } from '../../kit/server/database.ts';
import { seed } from '../../kit/random.ts';
import { createStoreContext } from '../../model/memory-context.ts';
import { createStorePlace } from '../store/test-store.ts';
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

interface ListReply {
  http: number;
  body: string;
  /** The kept body, the same object each time; undefined if the request was refused. */
  kept: ChunkedBody | undefined;
}

type ListReader = (apiKey: string, query: string) => Promise<ListReply>;

function createReader(context: HandlerContext, store: Store, keptAnswers: KeptAnswers): ListReader {
  const onBug = (_operation: string, error: unknown): never => {
    throw error;
  };
  const route = servedRoutes(apiTable(context)).find(({ id }) => id === 'agents/list')!;
  const dispatch = createDispatcher(route, { store, keptAnswers, onKeyUsed: () => {}, onBug });
  const from = {
    method: 'GET',
    headers: {},
    connection: {},
    legacy: false,
    address: '127.0.0.1',
    body: undefined,
  };
  return async (apiKey, query) => {
    const { result } = await dispatch({ ...from, apiKey, query });
    const { http, body } = await toHttpReply(v1['agents/list'], result, undefined, {});
    assert.ok(!(body instanceof Readable));
    return { http, body: String(toWhole(body)), kept: isChunked(body) ? body : undefined };
  };
}

/** Reads lists without anything that was kept: no answers, no rights, no texts of devices. */
function createUnkeptReader(database: Database): ListReader {
  const byKey = (digest: string) => createStore(database).actors.byKey(digest);
  const fresh = createStore(database);
  const store = { ...fresh, actors: { ...fresh.actors, byKey } };
  const context = createStoreContext(store);
  const read = createReader(context, store, createKeptAnswers({ totalBytes: 0, bytesPerPerson: 0 }));
  return (apiKey, query) => {
    context.views = createAgentViewCache();
    return read(apiKey, query);
  };
}

/** Two nodes that keep lists, and a reader that keeps nothing, on one database. */
async function openNodes(kind: DatabaseKind) {
  const made = await createStorePlace(kind, true);
  let clock = 1_800_000_000;
  const place = { ...made.place, clock: () => clock };
  const nodes: { store: Store; read: ListReader }[] = [];
  for (let count = 0; count < 2; count += 1) {
    const store = await openStore(place);
    nodes.push({ store, read: createReader(createStoreContext(store), store, createKeptAnswers()) });
  }
  const database = await openDatabase(place);
  return {
    nodes,
    readUnkept: createUnkeptReader(database),
    advance: (seconds: number) => void (clock += seconds),
    async [Symbol.asyncDispose]() {
      for (const { store } of nodes) await store.close();
      await database.close();
      await made[Symbol.asyncDispose]();
    },
  };
}

const drawQuery = ({ groups }: ListAccount, draw: SeededDraw): string =>
  draw.oneOf(
    '',
    '',
    `search=${draw.oneOf('Device%201', 'Group%201', '10.0.0.1')}`,
    `group_id=${draw.pick(groups) ?? 1}`,
    `offset=${draw.below(3)}&limit=${1 + draw.below(5)}`,
  );

/** Seconds: mostly a few, sometimes past a window of one-time links, seldom towards the ten days of limited devices. */
const drawSeconds = (draw: SeededDraw): number =>
  draw.below(10) === 0 ? 86_400 * 4 : draw.oneOf(1, 2, 3, 5, 8, 13, 45);

type Nodes = Awaited<ReturnType<typeof openNodes>>;

/** A list that is read again and again, also after its person or key was removed. */
interface ListRequest {
  node: Nodes['nodes'][number];
  apiKey: string;
  query: string;
}

const requestCount = 6;

/** Compares lists of some people on random nodes, and counts how often one was sent again. */
function createComparer({ nodes, readUnkept }: Nodes, accounts: readonly ListAccount[], draw: SeededDraw) {
  const seen = new WeakSet<ChunkedBody>();
  const requests: ListRequest[] = [];
  let again = 0;
  const drawRequest = (): ListRequest => {
    const account = draw.pick(accounts)!;
    const apiKey = draw.pick(draw.pick(account.people)!.apiKeys)!;
    return { node: draw.pick(nodes)!, apiKey, query: drawQuery(account, draw) };
  };
  const compare = async ({ node, apiKey, query }: ListRequest, what: string): Promise<void> => {
    const expected = await readUnkept(apiKey, query);
    const { http, body, kept } = await node.read(apiKey, query);
    assert.deepEqual([http, body], [expected.http, expected.body], what);
    if (kept && seen.has(kept)) again += 1;
    if (kept) seen.add(kept);
  };
  return {
    again: () => again,
    async compareAll(what: string): Promise<void> {
      if (draw.below(4) === 0) requests.shift();
      while (requests.length < requestCount) requests.push(drawRequest());
      for (const request of requests) await compare(request, `seed ${seed}, ${what}: ${request.query}`);
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
    test('every list equals one that was built for the request, whatever changed on which node', async () => {
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
      const shownAfter = async (seconds: number, field: 'disabled' | 'online'): Promise<boolean> => {
        opened.advance(seconds);
        const { data } = JSON.parse((await read(people[0]!.apiKeys[0]!, '')).body) as {
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
