/** The limits over all nodes together. Of unauthenticated connections, each node tells the others which networks have many. */
import type { Bus } from '../bus/bus.ts';
import type { ConnectionCounts, ShareConnections } from '../http/connection/connection-limiter.ts';
import { keepToNode, type ShareLimiter } from '../edges/guess-limiter.ts';
import { openSharedLimiters, type LimiterPeers } from './shared-limiters.ts';

/** What the nodes of a deployment count together. */
interface SharedLimits {
  shareLimiter: ShareLimiter;
  /** Undefined on a server that is alone on its database. */
  shareConnections: ShareConnections | undefined;
  close(): void;
}

/** `limit`: how many unauthenticated connections a network may have. */
export function openSharedLimits(bus: Bus, nodes: LimiterPeers | undefined, limit: number): SharedLimits {
  if (!nodes) return { shareLimiter: keepToNode, shareConnections: undefined, close() {} };
  const [limiters, connections] = [openSharedLimiters(bus, nodes), openSharedConnections(bus, nodes, limit)];
  return {
    shareLimiter: limiters.share,
    shareConnections: connections.share,
    close() {
      limiters.close();
      connections.close();
    },
  };
}

const subject = 'connections';

/** What a node tells the others: networks with many connections, and how many they have. */
interface ConnectionReport {
  node: string;
  counts: readonly (readonly [network: string, count: number])[];
}

const reportEveryMs = 250;
/** A node that says nothing for so long has no such network any more, or is gone. */
const validForMs = 1_000;
/** A network with less than this part of the limit is not reported: all nodes together hardly exceed the limit by it. */
const reportedPart = 1 / 20;
/** Bounds the size of a message. */
const maxReported = 1_000;

interface State {
  peers: LimiterPeers;
  limit: number;
  own: ConnectionCounts | undefined;
  reports: Map<string, { counts: ReadonlyMap<string, number>; validUntil: number }>;
}

interface SharedConnections {
  share: ShareConnections;
  close(): void;
}

function openSharedConnections(bus: Bus, peers: LimiterPeers, limit: number): SharedConnections {
  const state: State = { peers, limit, own: undefined, reports: new Map() };
  const unsubscribe = bus.subscribe(subject, (message) => onReport(state, message as ConnectionReport));
  const timer = setInterval(() => {
    const counts = reportable(state);
    if (counts.length > 0) bus.publish(subject, { node: peers.id, counts } satisfies ConnectionReport);
  }, reportEveryMs).unref();
  return {
    share(own) {
      state.own = own;
      return (network) => elsewhere(state, network);
    },
    close() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}

const reportable = ({ own, limit }: State): [string, number][] =>
  [...(own?.counts() ?? [])].filter(([, count]) => count >= limit * reportedPart).slice(0, maxReported);

function elsewhere({ reports, peers }: State, network: string): number {
  const now = performance.now();
  let sum = 0;
  for (const [node, { counts, validUntil }] of reports)
    if (node !== peers.id && now < validUntil) sum += counts.get(network) ?? 0;
  return sum;
}

/** Closes this node's part of what is beyond the limit. Each node does, and none knows the moment at which others do. */
function onReport(state: State, { node, counts }: ConnectionReport): void {
  const { reports, peers, limit, own } = state;
  if (node === peers.id) return;
  for (const [id, { validUntil }] of reports) if (validUntil < performance.now()) reports.delete(id);
  reports.set(node, { counts: new Map(counts), validUntil: performance.now() + validForMs });
  const keep = new Map<string, number>();
  for (const [network] of counts) {
    const here = own?.counts().get(network) ?? 0;
    const total = here + elsewhere(state, network);
    if (here > 0 && total > limit) keep.set(network, Math.floor((here * limit) / total));
  }
  if (keep.size > 0) own?.shrink(keep);
}
