/** Sessions in one server: the relay where two sides meet, the lobby where clients wait, and the desk that lets operators in. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayPath } from '@drawbridge/contract/session/open';
import { createRelay, type Relay } from '@drawbridge/relay/relay';
import { random, digestOf, hmacOf } from '../edges/random.ts';
import { openWebApp } from '../public-pages/web-app.ts';
import { brandRoutes } from '../public-pages/brand-logo.ts';
import { consoleRoutes } from '../public-pages/console.ts';
import type { Route } from '../http/route.ts';
import { joinRoutes } from '../public-pages/join.ts';
import { panelPageRoutes } from '../public-pages/panel.ts';
import { playerRoutes } from '../public-pages/player.ts';
import type { ClientPicture } from '../public-pages/preview.ts';
import { uploadRoutes } from '../public-pages/recording-upload.ts';
import { createBusFleet } from '../gateway/devices/fleet.ts';
import type { UpgradePeer } from '../gateway/devices/gateway.ts';
import { previewSubject } from '../gateway/lobby/lobby-subjects.ts';
import { createLobby } from '../gateway/lobby/lobby.ts';
import { createKeyedQueue } from '../edges/keyed-queue.ts';
import type { ServerDeps } from './handler-context.ts';
import type { SocketDeps } from './socket-deps.ts';
import { slotOwnerOf } from '../domain/networks.ts';
import { createRecordingKeys, deriveRecordingKey } from '../sessions/recording-keys.ts';
import { createSessionDispatcher } from '../sessions/session-dispatcher.ts';
import { createActiveSessions, type RelayControl } from '../sessions/active-sessions.ts';
import { createSessionNotes } from '../sessions/session-notes.ts';
import { createSessionOpener } from '../sessions/session-opener.ts';
import { createRecordingGrants } from '../sessions/recording-grants.ts';
import { createSigner } from '../sessions/signer.ts';
import { startRevocationWatcher } from '../sessions/revocation-watcher.ts';

export interface ComposedSessions {
  /** Takes over a connection that wants to become a socket; false when it is neither the relay's nor the lobby's. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  routes: Route[];
  clientPicture: ClientPicture;
  close(): Promise<void>;
}

/** How long the node that holds a client's line may take to show its picture. */
const pictureTimeoutMs = 2_000;

export function composeSessions(deps: ServerDeps & SocketDeps): ComposedSessions {
  const { store, bus, log, config, identity, geoOf, node } = deps;
  const invitationLifetime = config().invitationDays * 86_400;
  const publicUrl = (): string => config().publicUrl;
  const relayUrl = (): string => (config().relayUrl ?? publicUrl().replace(/^https/, 'wss')) + relayPath;

  const { relay, relayOf, stopRelay } = createLazyRelay(() =>
    createRelay({
      serverKeys: [identity.publicKey],
      origins: [publicUrl()],
      now: store.now,
      onPaired: sessions.onPaired,
      onEnd: sessions.onEnd,
    }),
  );
  const sessions = createActiveSessions({ store, relay, log, queue: createKeyedQueue() });
  const signer = createSigner({ identity, random, now: store.now, iceServers: () => config().direct });
  const recording = createRecordingGrants({
    store,
    random,
    digestOf,
    makeKeys: createRecordingKeys,
    publicUrl,
  });
  const dispatcher = createSessionDispatcher({
    bus,
    fleet: createBusFleet(bus),
    signer,
    recording,
    relayUrl,
  });
  const sessionDeps = { store, bus, log, sessions, dispatcher, invitationLifetime };
  const sessionOpener = createSessionOpener({
    ...sessionDeps,
    signer,
    recording,
    random,
    digestOf,
    geoOf,
    relayUrl,
  });
  const watcher = startRevocationWatcher({ ...sessionDeps, relay });
  const lobby = createLobby({
    store,
    bus,
    log,
    node,
    serverKey: identity.publicKey,
    random,
    origin: publicUrl,
    lifetime: invitationLifetime,
  });
  const app = openWebApp();

  async function close(): Promise<void> {
    await lobby.close();
    await stopRelay();
    await watcher.close();
    await sessions.flush();
  }
  let closed: Promise<void> | undefined;
  return {
    upgrade: (request, socket, head, peer) =>
      request.url === relayPath
        ? relayOf().upgrade(request, socket, head, { ...slotOwnerOf(peer.address), settle: peer.settle })
        : lobby.upgrade(request, socket, head, peer),
    routes: [
      ...app.routes,
      ...brandRoutes(store),
      ...consoleRoutes({
        sessionOpener,
        notes: createSessionNotes({ store, digestOf }),
        app,
        publicUrl,
        relayUrl,
      }),
      ...joinRoutes(app, relayUrl),
      ...panelPageRoutes(app),
      ...uploadRoutes({ store, blobs: deps.recordings, random, digestOf }),
      ...playerRoutes({ store, blobs: deps.recordings, app, hmacOf, deriveKey: deriveRecordingKey }),
    ],
    clientPicture: async (id) =>
      (await bus.request(previewSubject(id), {}, pictureTimeoutMs)) as Awaited<ReturnType<ClientPicture>>,
    close: () => (closed ??= close()),
  };
}

/** The relay is made when somebody first comes to it: only then is it known where its pages come from. */
function createLazyRelay(make: () => Relay) {
  let made: Relay | undefined;
  const relay: RelayControl = {
    close: (pair, reason) => made?.close(pair, reason),
    has: (pair) => made?.has(pair) ?? false,
  };
  return { relay, relayOf: () => (made ??= make()), stopRelay: async () => made?.closeAll() };
}
