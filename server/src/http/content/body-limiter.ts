/** Limits how many long response bodies are sent at the same time, in total and per network. Clients that stop reading are cut off. */
import { networkOf, wideNetworkOf } from '../../domain/networks.ts';

/**
 * Each pool has its own slots. Streams have no limit here: the panel limits them by the person who opened them, because
 * a whole office may share one address.
 */
export type BodyPool = 'downloads' | 'pages' | 'answers' | 'streams';

export interface BodyLimits {
  /** In one pool. */
  total: number;
  /** In one pool, for clients of one network. */
  perNetwork: number;
  /** How long a client may leave a chunk unread. */
  stalledMs: number;
  /** If no slot is free, a client that has read nothing for this long is cut off in favour of the next one. */
  replacedAfterMs: number;
  checkEveryMs: number;
}

const defaultBodyLimits: BodyLimits = {
  total: 1_024,
  perNetwork: 256,
  stalledMs: 60_000,
  replacedAfterMs: 5_000,
  checkEveryMs: 2_000,
};

/** One network may receive an eighth as many bodies as it may have connections, and never uses more than a quarter of the slots. */
export const bodyLimitsFor = (connectionsPerAddress: number): Partial<BodyLimits> => ({
  perNetwork: Math.min(Math.ceil(connectionsPerAddress / 8), defaultBodyLimits.total / 4),
});

/** A body that is being sent. */
interface ResponseBody {
  pool: BodyPool;
  /** The address of the client. */
  address: string;
  /** Cuts the connection. */
  destroy(): void;
}

export interface BodySlot {
  /** Call when a chunk was written: the client must read it in time. */
  chunkSent(): void;
  /** Call when the client has read the chunk. */
  chunkTaken(): void;
  release(): void;
}

export interface BodyLimiter {
  /** Returns a slot, or the limit that is reached. */
  acquire(body: ResponseBody): BodySlot | 'network' | 'total';
}

interface Entry {
  body: ResponseBody;
  network: string;
  wideNetwork: string;
  /** Since when a chunk has been unread. */
  since: number | undefined;
}

interface State {
  limits: BodyLimits;
  clock: () => number;
  entries: Set<Entry>;
  timer: NodeJS.Timeout | undefined;
}

/** `clock`: milliseconds of a monotonic clock. */
export function createBodyLimiter(
  given: Partial<BodyLimits> = {},
  clock = (): number => performance.now(),
): BodyLimiter {
  const limits = { ...defaultBodyLimits, ...given };
  const state: State = { limits, clock, entries: new Set(), timer: undefined };
  return { acquire: (body) => acquire(state, body) };
}

function acquire(state: State, body: ResponseBody): BodySlot | 'network' | 'total' {
  const { address, pool } = body;
  const [network, wideNetwork] = [networkOf(address), wideNetworkOf(address)];
  const entry: Entry = { body, network, wideNetwork, since: undefined };
  const refusal = pool === 'streams' ? undefined : refusalOf(state, entry);
  if (refusal) return refusal;
  state.entries.add(entry);
  state.timer ??= setInterval(() => cutOffStalled(state), state.limits.checkEveryMs).unref();
  return {
    chunkSent: () => void (entry.since = state.clock()),
    chunkTaken: () => void (entry.since = undefined),
    release: () => remove(state, entry),
  };
}

function remove(state: State, entry: Entry): void {
  state.entries.delete(entry);
  if (state.entries.size > 0) return;
  clearInterval(state.timer);
  state.timer = undefined;
}

function cutOff(state: State, entry: Entry): void {
  remove(state, entry);
  entry.body.destroy();
}

const stalledFor = ({ since }: Entry, now: number): number => (since === undefined ? 0 : now - since);

function cutOffStalled(state: State): void {
  const now = state.clock();
  for (const entry of state.entries)
    if (stalledFor(entry, now) >= state.limits.stalledMs) cutOff(state, entry);
}

function refusalOf(state: State, newcomer: Entry): 'network' | 'total' | undefined {
  const { perNetwork, total } = state.limits;
  const pool = [...state.entries].filter(({ body }) => body.pool === newcomer.body.pool);
  const own = pool.filter(({ network }) => network === newcomer.network);
  if (own.length >= perNetwork) return evictStalled(state, own) ? undefined : 'network';
  return pool.length < total || evictOne(state, pool, newcomer) ? undefined : 'total';
}

/** Cuts off the client that has read nothing for longest, if that is long enough. Returns whether there was one. */
function evictStalled(state: State, candidates: readonly Entry[]): boolean {
  const now = state.clock();
  const waits = candidates.map((entry) => ({ entry, ms: stalledFor(entry, now) }));
  const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one));
  if (longest.ms < state.limits.replacedAfterMs) return false;
  cutOff(state, longest.entry);
  return true;
}

/** Cuts off a client of a network that has more slots than the newcomer's would have, or else one that is stalled. */
function evictOne(state: State, pool: readonly Entry[], newcomer: Entry): boolean {
  const byNetwork = Map.groupBy(pool, ({ wideNetwork }) => wideNetwork);
  const own = byNetwork.get(newcomer.wideNetwork)?.length ?? 0;
  const most = [...byNetwork.values()].reduce((one, other) => (other.length > one.length ? other : one));
  if (most.length > own + 1) {
    cutOff(state, most.at(-1)!);
    return true;
  }
  // A network with many slots must not end the bodies of networks with few.
  const candidates = pool.filter(({ wideNetwork }) => byNetwork.get(wideNetwork)!.length >= own);
  return evictStalled(state, candidates);
}
