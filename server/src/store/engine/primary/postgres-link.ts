/**
 * The connections to PostgreSQL. One of them watches it: if it does not answer, or another host is the primary now, all
 * connections are dropped at once, so that no request waits for a database that is frozen or writes to the wrong one.
 */
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { markOutage } from '../../outages.ts';
import {
  dropClient,
  findPrimary,
  openTimelineMemory,
  readPostgresState,
  startWithinMs,
  type FoundPostgres,
  type TimelineMemory,
} from './postgres-hosts.ts';

export interface PostgresLink {
  /** Rejects with an outage if there is no database to write to. */
  connect(): Promise<pg.PoolClient>;
  /** The address of the primary. */
  url(): string;
  close(): Promise<void>;
}

const checkEveryMs = 1_000;
/** A PostgreSQL that takes longer to answer a trivial query is frozen, or cut off. */
const frozenAfterMs = 4_000;

type CreatePool = (url: string) => Promise<pg.Pool>;

interface State {
  readonly addresses: string;
  readonly timelines: TimelineMemory;
  readonly createPool: CreatePool;
  primary: FoundPostgres;
  /** Undefined while the database is away. */
  connections: Connections | undefined;
  /** The search that runs now. */
  finding: Promise<Connections> | undefined;
  checking: boolean;
  closed: boolean;
}

interface Connections {
  pool: pg.Pool;
  clients: Set<pg.PoolClient>;
  /** Reject the callers that wait for one of them. */
  waiting: Set<(reason: Error) => void>;
}

/** `addresses`: may name several hosts. `folder`: the data folder. */
export async function openPostgresLink(
  addresses: string,
  folder: string,
  createPool: CreatePool,
): Promise<PostgresLink> {
  const timelines = openTimelineMemory(folder);
  const primary = await findPrimary(addresses, timelines, startWithinMs);
  const fixed = { addresses, timelines, createPool, finding: undefined, checking: false, closed: false };
  const state: State = { ...fixed, primary, connections: await openConnections(createPool, primary.url) };
  watchEnd(state, primary);
  const timer = setInterval(() => void check(state), checkEveryMs).unref();
  return {
    connect: () => connect(state),
    url: () => state.primary.url,
    async close() {
      state.closed = true;
      clearInterval(timer);
      await state.finding?.catch(() => {});
      dropClient(state.primary.client);
      await state.connections?.pool.end();
    },
  };
}

async function openConnections(createPool: CreatePool, url: string): Promise<Connections> {
  const connections = {
    pool: await createPool(url),
    clients: new Set<pg.PoolClient>(),
    waiting: new Set<(reason: Error) => void>(),
  };
  connections.pool.on('connect', (client) => void connections.clients.add(client));
  connections.pool.on('remove', (client) => void connections.clients.delete(client));
  return connections;
}

async function connect(state: State): Promise<pg.PoolClient> {
  const { pool, waiting } = state.connections ?? (await find(state));
  const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
  waiting.add(reject);
  pool.connect().then(
    (client) => (waiting.delete(reject) ? resolve(client) : client.release(true)),
    (error: Error) => {
      waiting.delete(reject);
      reject(error);
    },
  );
  return promise;
}

/** Fails everything that waits for the database. */
function drop(state: State, reason: string): void {
  const { connections } = state;
  state.connections = undefined;
  if (!connections) return;
  const outage = markOutage(new Error(reason));
  for (const reject of connections.waiting) reject(outage);
  connections.waiting.clear();
  connections.clients.forEach(dropClient);
  void connections.pool.end().catch(() => {});
}

/** Looks for the primary; several callers share one search. */
const find = (state: State): Promise<Connections> =>
  (state.finding ??= findAgain(state).finally(() => (state.finding = undefined)));

async function findAgain(state: State): Promise<Connections> {
  const { addresses, timelines, createPool } = state;
  const found = await findPrimary(addresses, timelines).catch((error: Error) => {
    drop(state, error.message);
    throw error;
  });
  const { primary } = state;
  state.primary = found;
  dropClient(primary.client);
  watchEnd(state, found);
  if (found.url !== primary.url || found.timeline !== primary.timeline)
    drop(state, 'Another PostgreSQL is the primary now.');
  return (state.connections ??= await openConnections(createPool, found.url));
}

/** A connection that ends is noticed at once. */
function watchEnd(state: State, primary: FoundPostgres): void {
  primary.client.once('end', () => {
    if (state.primary === primary && !state.closed) void find(state).catch(() => {});
  });
}

async function check(state: State): Promise<void> {
  if (state.checking || state.finding) return;
  state.checking = true;
  try {
    const current = await answerOf(readPostgresState(state.primary.client));
    if (current === 'frozen') drop(state, 'PostgreSQL does not answer.');
    else if (current?.isWritable && state.connections) return;
    else if (current && !current.isWritable) drop(state, 'PostgreSQL became a standby.');
    if (!state.closed) await find(state).catch(() => {});
  } finally {
    state.checking = false;
  }
}

/** Undefined if the query failed. */
async function answerOf<Answer>(query: Promise<Answer>): Promise<Answer | 'frozen' | undefined> {
  const answer = query.catch(() => undefined);
  const timeout = Promise.withResolvers<'frozen'>();
  const timer = setTimeout(timeout.resolve, frozenAfterMs, 'frozen');
  const first = await Promise.race([answer, timeout.promise]);
  clearTimeout(timer);
  if (first !== 'frozen') return first;
  // If this process was busy, the answer may be there already and only waits to be read.
  await setImmediate();
  return Promise.race([answer, setImmediate('frozen' as const)]);
}
