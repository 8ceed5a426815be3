/** How many long response bodies are under way, in total and per network; clients that stop reading lose their place. */
import { networkOf, wideNetworkOf } from '../../domain/networks.ts';

/**
 * Bodies of one pool never take the places of another. Streams have no limit here: panel/events.ts limits them by who
 * opened them, because a whole office may be behind one address.
 */
export type BodyPool = 'downloads' | 'pages' | 'answers' | 'streams';

export interface BodyLimits {
  /** In one pool. */
  total: number;
  /** In one pool, for clients of one network. */
  perNetwork: number;
  /** How long a client may take none of what waits for it. */
  stalledMs: number;
  /** When every place is taken, a client that has taken nothing for this long makes room for the next. */
  replacedAfterMs: number;
  checkEveryMs: number;
}

export const defaultBodyLimits: BodyLimits = {
  total: 1_024,
  perNetwork: 256,
  stalledMs: 60_000,
  replacedAfterMs: 5_000,
  checkEveryMs: 2_000,
};

/** One network has an eighth as many bodies as connections, and never more than a quarter of all places. */
export const bodyLimitsFor = (connectionsPerAddress: number): Partial<BodyLimits> => ({
  perNetwork: Math.min(Math.ceil(connectionsPerAddress / 8), defaultBodyLimits.total / 4),
});

/** A body that is being sent. */
export interface ResponseBody {
  pool: BodyPool;
  /** Of the client. */
  address: string;
  /** Cuts the connection off. */
  destroy(): void;
}

export interface BodySlot {
  /** A chunk was handed over; from now on the client has to take it. */
  chunkSent(): void;
  /** The chunk was taken. */
  chunkTaken(): void;
  release(): void;
}

export interface BodyLimiter {
  /** A place, or which limit is reached. */
  acquire(body: ResponseBody): BodySlot | 'network' | 'total';
}

interface Entry {
  body: ResponseBody;
  network: string;
  wideNetwork: string;
  /** Since when a chunk has waited to be taken. */
  since: number | undefined;
}

/** `clock`: milliseconds of a monotonic clock. */
export function createBodyLimiter(
  given: Partial<BodyLimits> = {},
  clock = (): number => performance.now(),
): BodyLimiter {
  const limits = { ...defaultBodyLimits, ...given };
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const waitedFor = ({ since }: Entry, now: number): number => (since === undefined ? 0 : now - since);
  const cutOff = (entry: Entry): void => {
    leave(entry);
    entry.body.destroy();
  };
  const leave = (entry: Entry): void => {
    entries.delete(entry);
    if (entries.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const sweep = (): void => {
    const now = clock();
    for (const entry of entries) if (waitedFor(entry, now) >= limits.stalledMs) cutOff(entry);
  };
  /** Ends the one that has taken nothing for longest, if that is long enough. Whether there was one. */
  const replaceStalled = (among: readonly Entry[]): boolean => {
    const now = clock();
    const waits = among.map((entry) => ({ entry, ms: waitedFor(entry, now) }));
    const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one));
    if (longest.ms < limits.replacedAfterMs) return false;
    cutOff(longest.entry);
    return true;
  };
  /** Ends one of a network that has more places than the newcomer would have, or else one that stalls. */
  const makeRoom = (pool: readonly Entry[], newcomer: Entry): boolean => {
    const held = Map.groupBy(pool, ({ wideNetwork }) => wideNetwork);
    const own = held.get(newcomer.wideNetwork)?.length ?? 0;
    const most = [...held.values()].reduce((one, other) => (other.length > one.length ? other : one));
    if (most.length > own + 1) {
      cutOff(most.at(-1)!);
      return true;
    }
    // A network with many places must not end those of networks with few.
    const others = pool.filter(({ wideNetwork }) => held.get(wideNetwork)!.length >= own);
    return replaceStalled(others);
  };
  const refusalOf = (newcomer: Entry): 'network' | 'total' | undefined => {
    const pool = [...entries].filter(({ body }) => body.pool === newcomer.body.pool);
    const own = pool.filter(({ network }) => network === newcomer.network);
    if (own.length >= limits.perNetwork) return replaceStalled(own) ? undefined : 'network';
    return pool.length < limits.total || makeRoom(pool, newcomer) ? undefined : 'total';
  };

  return {
    acquire(body) {
      const { address, pool } = body;
      const [network, wideNetwork] = [networkOf(address), wideNetworkOf(address)];
      const entry: Entry = { body, network, wideNetwork, since: undefined };
      const refusal = pool === 'streams' ? undefined : refusalOf(entry);
      if (refusal) return refusal;
      entries.add(entry);
      timer ??= setInterval(sweep, limits.checkEveryMs).unref();
      return {
        chunkSent: () => void (entry.since = clock()),
        chunkTaken: () => void (entry.since = undefined),
        release: () => leave(entry),
      };
    },
  };
}
