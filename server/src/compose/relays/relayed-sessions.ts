/** The relays of a server, its own and those in other regions, and the sessions that run over them. */
import { relayPath } from '@drawbridge/contract/session/open';
import { createControlClient } from '@drawbridge/relay/control/control-client';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { createKeyedQueue } from '../../edges/keyed-queue.ts';
import type { Metrics } from '../../edges/metrics.ts';
import {
  createActiveSessions,
  type ActiveSessions,
  type RelayControl,
} from '../../sessions/active-sessions.ts';
import { createRemoteRelays } from '../../sessions/remote-relays.ts';
import type { RemoteRelays } from '../../sessions/remote-relays-interface.ts';
import type { ServerDeps } from '../handler-context.ts';
import type { Nodes } from '../nodes/join-nodes.ts';
import type { SocketDeps } from '../socket-deps.ts';

interface Deps extends Pick<ServerDeps, 'store' | 'config'>, Pick<SocketDeps, 'log' | 'identity'> {
  /** Undefined on a server that is alone on its database. */
  nodes: Nodes | undefined;
  metrics: Pick<Metrics, 'setRelay'>;
}

export interface RelayedSessions {
  sessions: ActiveSessions;
  /** The relay of each session, its own or one in another region. */
  relay: RelayControl;
  remote: RemoteRelays;
  relayOf(): Relay;
  stopRelay(): Promise<void>;
}

export function createRelayedSessions(deps: Deps, publicUrl: () => string): RelayedSessions {
  const { store, log, identity, nodes } = deps;
  const {
    relay: own,
    relayOf,
    stopRelay,
  } = createLazyRelay(() =>
    createRelay({
      serverKeys: [identity.publicKey],
      origins: [publicUrl()],
      now: store.now,
      nodes,
      onPaired: (pair) => sessions.onPaired(pair),
      onEnd: (ended) => sessions.onEnd(ended),
    }),
  );
  const remote = createRegionalRelays(deps, publicUrl, {
    onPaired: (pair) => sessions.onPaired(pair),
    onEnd: (ended) => sessions.onEnd(ended),
  });
  const relay = byPair((pair) => (remote.holds(pair) ? remote : own));
  const sessions = createActiveSessions({ store, relay, log, queue: createKeyedQueue() });
  return {
    sessions,
    relay,
    remote,
    relayOf,
    stopRelay: async () => void (await Promise.all([stopRelay(), remote.stop()])),
  };
}

/** Only a process that opens sessions controls relays. */
function createRegionalRelays(
  { config, identity, nodes, log, metrics }: Deps,
  publicUrl: () => string,
  events: Pick<ActiveSessions, 'onPaired' | 'onEnd'>,
): RemoteRelays {
  const { relays, roles } = config();
  const entries = roles.includes('api') ? relays : [];
  return createRemoteRelays({
    ...events,
    entries: entries.map((entry) => ({ ...entry, origin: entry.url, url: entry.url + relayPath })),
    log,
    onChange: metrics.setRelay,
    connect: ({ origin, key }, { pairs, onMessage, onDown }) =>
      createControlClient({
        url: origin,
        relayKey: key,
        server: identity,
        node: nodes?.id ?? '',
        introduce: () => ({ origin: publicUrl(), pairs: pairs() }),
        onMessage,
        onDown,
      }),
  });
}

/** Passes each call on to the relay that has the pairing. */
const byPair = (relayOf: (pair: string) => RelayControl): RelayControl => ({
  close: (pair, reason) => relayOf(pair).close(pair, reason),
  release: (pair) => relayOf(pair).release(pair),
  has: (pair) => relayOf(pair).has(pair),
  bytesOf: (pair) => relayOf(pair).bytesOf(pair),
});

/** Creates the relay with its first connection, because the origin of its pages is known only once the port is open. */
function createLazyRelay(create: () => Relay) {
  let created: Relay | undefined;
  const relay: RelayControl = {
    close: (pair, reason) => created?.close(pair, reason),
    release: (pair) => created?.release(pair),
    has: (pair) => created?.has(pair) ?? false,
    bytesOf: (pair) => created?.bytesOf(pair) ?? 0,
  };
  return { relay, relayOf: () => (created ??= create()), stopRelay: async () => created?.closeAll() };
}
