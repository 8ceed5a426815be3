/** Composes the sessions of one server: the relay, the lobby, what opens and ends sessions, and their pages. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Nodes } from './nodes/join-nodes.ts';
import { relayPath } from '@drawbridge/contract/session/open';
import type { RelayOffer } from '@drawbridge/contract/session/round-trips';
import { rejectUpgrade } from '@drawbridge/contract/upgrades';
import { random, digestOf, hmacOf } from '../edges/random.ts';
import { openWebApp } from '../public-pages/web-app.ts';
import { consoleRoutes } from '../public-pages/console.ts';
import type { Route } from '../http/route.ts';
import { allowFraming } from '../public-pages/framing.ts';
import { joinRoutes } from '../public-pages/join.ts';
import { subjectOfLink } from '../public-pages/links/link-subject.ts';
import { panelPageRoutes } from '../public-pages/panel.ts';
import { playerRoutes } from '../public-pages/player.ts';
import { hasAnswer } from '../bus/bus.ts';
import type { ClientPicture } from '../public-pages/preview.ts';
import { uploadRoutes } from '../public-pages/recording-upload.ts';
import { createBusFleet } from '../gateway/devices/fleet.ts';
import type { UpgradePeer } from '../gateway/upgrade-peer.ts';
import { previewSubject } from '../gateway/lobby/lobby-subjects.ts';
import { createJoinCodeLimiter } from '../gateway/lobby/join-code-limiter.ts';
import { createLobby, type Lobby } from '../gateway/lobby/lobby.ts';
import type { Metrics } from '../edges/metrics.ts';
import { createRateLimiter } from '../edges/rate-limiter.ts';
import type { ServerDeps } from './handler-context.ts';
import type { SocketDeps } from './socket-deps.ts';
import { ownRelay } from '../domain/sessions/nearest-relay.ts';
import { slotOwnerOf } from '../domain/networks.ts';
import { createRecordingKeys, deriveRecordingKey } from '../sessions/recording-keys.ts';
import { createSessionDispatcher } from '../sessions/session-dispatcher.ts';
import { createSessionRecordings, type SessionRecordings } from '../sessions/session-recordings.ts';
import { createSessionNotes } from '../sessions/session-notes.ts';
import { createSessionOpener, linkReturnLimit, type SessionOpener } from '../sessions/session-opener.ts';
import { createRecordingGrants } from '../sessions/recording-grants.ts';
import { createRelayChoice } from '../sessions/session-relay.ts';
import { createSigner } from '../sessions/signer.ts';
import { releaseSessions } from '../sessions/release-sessions.ts';
import { createRelayedSessions, type RelayedSessions } from './relays/relayed-sessions.ts';
import { startRevocationWatcher } from '../sessions/revocation-watcher.ts';

export interface ComposedSessions {
  /** Handles the WebSocket upgrades of relay and lobby; returns false for any other. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  routes: Route[];
  clientPicture: ClientPicture;
  /** How many sessions this node holds. */
  count(): number;
  /** The devices of the sessions at this node. */
  deviceIds(): ReadonlySet<number>;
  /** Connects to the relays in other regions. The port is known by now. */
  connectRelays(): void;
  /** Hands the sessions over to the other nodes; `isAway` says whether a device is not connected to any yet. */
  release(isAway: (agentId: number) => boolean, limitMs: number): Promise<void>;
  /** Does the same after it has sent the clients of invitations away. */
  drain(isAway: (agentId: number) => boolean, limitMs: number): Promise<void>;
  close(): Promise<void>;
}

/** How long the node that holds the client's connection may take to return its picture. */
const pictureTimeoutMs = 2_000;

interface Deps extends ServerDeps, SocketDeps {
  /** Undefined on a server that is alone on its database. */
  nodes: Nodes | undefined;
  isDraining(): boolean;
  metrics: Pick<Metrics, 'setRelay'>;
}

/** The current URLs: the port is known only once it is open. */
interface Urls {
  publicUrl(): string;
  relayUrl(): string;
  /** Of all nodes and regions, separated by spaces: the page of one node may open a session at another. */
  relayOrigins(): string;
}

export function composeSessions(deps: Deps): ComposedSessions {
  const urls = urlsOf(deps);
  const relayed = createRelayedSessions(deps, urls.publicUrl);
  const { sessionOpener, sessionRecordings, watcher } = createOpener(deps, urls, relayed);
  const lobby = openLobby(deps, urls);

  let lobbyClosed: Promise<void> | undefined;
  const closeLobby = (): Promise<void> => (lobbyClosed ??= lobby.close());
  async function close(): Promise<void> {
    await closeLobby();
    await relayed.stopRelay();
    await watcher.close();
    await relayed.sessions.flush();
  }
  let closed: Promise<void> | undefined;
  return {
    upgrade: createUpgrade(deps, relayed, lobby),
    routes: createSessionRoutes(deps, urls, {
      sessionOpener,
      sessionRecordings,
      inviterOf: lobby.inviterOf,
      relayOffers: () => withOwnRelay(relayed.remote.offersFor(0), urls),
    }),
    clientPicture: createClientPicture(deps),
    count: () => relayed.sessions.list().length,
    deviceIds: () => new Set(relayed.sessions.list().flatMap(({ agentId }) => agentId ?? [])),
    connectRelays: relayed.remote.start,
    release: (isAway, limitMs) => releaseSessions(relayed, isAway, limitMs),
    async drain(isAway, limitMs) {
      await closeLobby();
      await releaseSessions(relayed, isAway, limitMs);
    },
    close: () => (closed ??= close()),
  };
}

const createUpgrade =
  (deps: Deps, { relayOf }: RelayedSessions, lobby: Lobby): ComposedSessions['upgrade'] =>
  (request, socket, head, peer) => {
    const { roles } = deps.config();
    if (!roles.includes(request.url === relayPath ? 'relay' : 'gateway')) return false;
    if (request.url !== relayPath)
      return deps.isDraining() ? rejectUpgrade(socket, 503) : lobby.upgrade(request, socket, head, peer);
    const { address, settle } = peer;
    return relayOf().upgrade(request, socket, head, { ...slotOwnerOf(address), settle });
  };

const createClientPicture =
  ({ bus }: Deps): ClientPicture =>
  async (id) => {
    const picture = await bus.request(previewSubject(id), {}, pictureTimeoutMs);
    return hasAnswer(picture) ? (picture as Awaited<ReturnType<ClientPicture>>) : undefined;
  };

/** Without relays in other regions there is nothing to measure. */
const withOwnRelay = (offers: RelayOffer[], { relayUrl }: Urls): RelayOffer[] =>
  offers.length === 0 ? [] : [{ name: ownRelay, url: relayUrl() }, ...offers];

/** Also those that are away: the process of a lobby need not be one that is connected to relays. */
const relaysInSettings = ({ config }: Deps): RelayOffer[] =>
  config().relays.map(({ name, url }) => ({ name, url: url + relayPath }));

const invitationLifetimeOf = ({ config }: Deps): number => config().invitationDays * 86_400;

function urlsOf({ config, nodes }: Deps): Urls {
  const remoteOrigins = (): string[] => config().relays.map(({ url }) => url);
  const publicUrl = (): string => config().publicUrl;
  const relayOrigin = (): string => config().relayUrl ?? publicUrl().replace(/^https/, 'wss');
  return {
    publicUrl,
    relayUrl: () => relayOrigin() + relayPath,
    relayOrigins: () =>
      [...new Set([relayOrigin(), ...(nodes?.relayUrls() ?? []), ...remoteOrigins()])].join(' '),
  };
}

/** What opens sessions, and what ends them when a right is revoked. */
function createOpener(
  deps: Deps,
  { publicUrl, relayUrl }: Urls,
  { sessions, relay, remote }: RelayedSessions,
) {
  const { store, bus, log, config, identity, geoOf } = deps;
  const signer = createSigner({
    identity,
    random,
    now: store.now,
    node: deps.nodes?.id,
    iceServers: () => config().direct,
  });
  const recording = createRecordingGrants({
    store,
    random,
    digestOf,
    makeKeys: createRecordingKeys,
    publicUrl,
  });
  const fleet = createBusFleet(bus, store);
  const dispatcher = createSessionDispatcher({ bus, fleet, signer, recording, relayUrl });
  const invitationLifetime = invitationLifetimeOf(deps);
  const sessionDeps = { store, bus, log, sessions, dispatcher, invitationLifetime };
  const openerDeps = { ...sessionDeps, signer, recording, random, digestOf, geoOf, relayUrl };
  return {
    sessionOpener: createSessionOpener({
      ...openerDeps,
      chooseRelay: createRelayChoice({ relays: remote, fleet, bus, relayUrl }),
      mayReturn: createRateLimiter(linkReturnLimit).allow,
      isDraining: deps.isDraining,
    }),
    sessionRecordings: createSessionRecordings({ store, fleet, recording, digestOf }),
    watcher: startRevocationWatcher({ ...sessionDeps, relay }),
  };
}

function openLobby(deps: Deps, urls: Urls): ReturnType<typeof createLobby> {
  const { store, bus, log, node, identity, shareLimiter } = deps;
  return createLobby({
    store,
    bus,
    log,
    node,
    joinCodes: createJoinCodeLimiter(shareLimiter),
    serverKey: identity.publicKey,
    random,
    origin: urls.publicUrl,
    relayOffers: () => withOwnRelay(relaysInSettings(deps), urls),
    lifetime: invitationLifetimeOf(deps),
  });
}

interface OpenedSessions {
  sessionOpener: SessionOpener;
  sessionRecordings: SessionRecordings;
  relayOffers(): RelayOffer[];
}

function createSessionRoutes(
  deps: Deps,
  { publicUrl, relayOrigins }: Urls,
  { sessionOpener, sessionRecordings, relayOffers, inviterOf }: OpenedSessions & Pick<Lobby, 'inviterOf'>,
): Route[] {
  const { store, recordings, config } = deps;
  const app = openWebApp();
  const rightsDeps = { store, now: store.now, invitationLifetime: invitationLifetimeOf(deps) };
  const subjectOf = (code: string) => subjectOfLink(rightsDeps, digestOf(code));
  const notes = createSessionNotes({ store, digestOf });
  return [
    ...app.routes,
    ...allowFraming(
      [
        ...consoleRoutes({
          sessionOpener,
          notes,
          switchRecording: sessionRecordings.switchTo,
          app,
          subjectOf,
          publicUrl,
          relayOrigins,
          relayOffers,
        }),
        ...joinRoutes({ app, publicUrl, relayOrigins, inviterOf }),
      ],
      config().frameOrigins,
    ),
    ...panelPageRoutes(app),
    ...uploadRoutes({ store, blobs: recordings, random, digestOf }),
    ...playerRoutes({ store, blobs: recordings, app, hmacOf, deriveKey: deriveRecordingKey }),
  ];
}
