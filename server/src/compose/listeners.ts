/** Opens the server's port: requests go to the API and the pages, WebSockets to gateway, relay and lobby. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { isFault, toErrorBody } from '@drawbridge/contract/faults';
import { rejectUpgrade } from '@drawbridge/contract/upgrades';
import { random, digestOf } from '../edges/random.ts';
import type { Config } from '../config/config.ts';
import { createGateway, type Gateway, type GatewayDeps } from '../gateway/devices/gateway.ts';
import { loadIdentity } from '../gateway/devices/identity.ts';
import type { ServerDeps } from './handler-context.ts';
import {
  clientOfRequest,
  isInNetworks,
  parseNetworks,
  type Networks,
} from '../http/connection/client-address.ts';
import type { ShareConnections } from '../http/connection/connection-limiter.ts';
import { openListener, type PortListener, type ListenerOptions } from '../http/connection/listener.ts';
import type { TlsChallenges } from '../http/connection/challenge-server.ts';
import type { Locations } from '../edges/location.ts';
import type { Log } from '../edges/log.ts';
import type { ComposedSessions } from './compose-sessions.ts';
import { listenOrRefuse, StartRefused } from './start-refused.ts';
import type { ServerCertificate } from '../tls/certificate.ts';
import type { SocketDeps } from './socket-deps.ts';

interface ListenerDeps {
  onRequest: RequestListener;
  gateway: Gateway;
  sessions: ComposedSessions;
  log: Log;
  /** Undefined on a server that is alone on its database. */
  shareConnections: ShareConnections | undefined;
  challenges: TlsChallenges | undefined;
}

/** Opens the port that the settings name. */
export function openServerListener(
  config: Config,
  tls: ServerCertificate,
  { onRequest, gateway, sessions, log, shareConnections, challenges }: ListenerDeps,
): Promise<PortListener> {
  const trustedProxies = requireNetworks(config.trustedProxies);
  const options = {
    ...config.listen,
    tls,
    onRequest,
    onUpgrade: createUpgradeHandler(
      config.roles.includes('gateway') ? [gateway, sessions] : [sessions],
      trustedProxies,
    ),
    limits: { connectionsPerAddress: config.connectionsPerAddress },
    share: shareConnections,
    challenges,
    isUncapped: (address: string) => isInNetworks(address, trustedProxies),
    onError: (error: Error) => log.error({ error: error.message }, 'the listener reported an error'),
  };
  return listenOrRefuse('listen', options, openListener);
}

export function requireNetworks(list: readonly string[]): Networks {
  const parsed = parseNetworks(list);
  if (isFault(parsed)) throw new StartRefused(toErrorBody(parsed).message);
  return parsed.networks;
}

export async function openSocketDeps(
  { store }: ServerDeps,
  { geoOf, rangeOf }: Locations,
  log: Log,
): Promise<SocketDeps> {
  const node = store.isExclusive ? 'this' : randomUUID();
  return { log, node, identity: await loadIdentity(store), geoOf, rangeOf };
}

export function openGateway(
  deps: ServerDeps & SocketDeps & Pick<GatewayDeps, 'isDraining' | 'traceCommand'>,
): Gateway {
  const { store, bus, log, certificate, node, identity, geoOf, isDraining, traceCommand } = deps;
  const { agentsOnline: maxDevices, agentsMoveTo: moveTo } = deps.config();
  return createGateway({
    store,
    bus,
    log,
    node,
    maxDevices,
    moveTo,
    isDraining,
    traceCommand,
    identity,
    certificate,
    random,
    digestOf,
    geoOf,
  });
}

/** Passes a WebSocket upgrade to the endpoint of its path; all others are rejected. */
const createUpgradeHandler =
  (
    handlers: readonly Pick<Gateway, 'upgrade'>[],
    trusted: Networks,
  ): NonNullable<ListenerOptions['onUpgrade']> =>
  (request, socket, head, settle) => {
    const { https, address } = clientOfRequest(request, trusted);
    if (!https || !handlers.some((each) => each.upgrade(request, socket, head, { address, settle })))
      rejectUpgrade(socket, 404);
  };
