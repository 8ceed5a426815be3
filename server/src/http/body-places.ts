/** How many long response bodies are under way, in total and per network; clients that stop reading lose their place. */
import { networkOf } from '../domain/networks.ts';

/** Bodies of one pool never take the places of another. */
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
  perNetwork: 312,
  stalledMs: 60_000,
  replacedAfterMs: 5_000,
  checkEveryMs: 2_000,
};

/** A body that is being sent. */
export interface Body {
  pool: BodyPool;
  /** Of the client. */
  address: string;
  /** Whether its turn has come: responses to pipelined requests wait for those before them. */
  isCurrent(): boolean;
  /** Cuts the connection off. */
  destroy(): void;
}

export interface Place {
  /** A chunk was handed over; from now on the client has to take it. */
  waiting(): void;
  /** The chunk was taken. */
  taken(): void;
  release(): void;
}

export interface BodyPlaces {
  /** A place, or which limit is reached. */
  enter(body: Body): Place | 'network' | 'total';
}

interface Entry {
  body: Body;
  network: string;
  /** Since when a chunk has waited to be taken. */
  since: number | undefined;
}

/** `clock`: milliseconds of a monotonic clock. */
export function createBodyPlaces(
  given: Partial<BodyLimits> = {},
  clock = (): number => performance.now(),
): BodyPlaces {
  const limits = { ...defaultBodyLimits, ...given };
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;

  const waitedFor = (entry: Entry, now: number): number => {
    // It cannot be taken before its turn.
    if (entry.since !== undefined && !entry.body.isCurrent()) entry.since = now;
    return entry.since === undefined ? 0 : now - entry.since;
  };
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
  /** Whether one of them has made room. */
  const replace = (among: readonly Entry[]): boolean => {
    const now = clock();
    const waits = among.map((entry) => ({ entry, ms: waitedFor(entry, now) }));
    const longest = waits.reduce((one, other) => (other.ms > one.ms ? other : one));
    if (longest.ms < limits.replacedAfterMs) return false;
    cutOff(longest.entry);
    return true;
  };

  return {
    enter(body) {
      const network = networkOf(body.address);
      const pool = [...entries].filter((each) => each.body.pool === body.pool);
      const own = pool.filter((each) => each.network === network);
      if (own.length >= limits.perNetwork && !replace(own)) return 'network';
      if (pool.length >= limits.total && own.length < limits.perNetwork && !replace(pool)) return 'total';
      const entry: Entry = { body, network, since: undefined };
      entries.add(entry);
      timer ??= setInterval(sweep, limits.checkEveryMs).unref();
      return {
        waiting: () => void (entry.since = clock()),
        taken: () => void (entry.since = undefined),
        release: () => leave(entry),
      };
    },
  };
}
