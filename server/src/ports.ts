/** The port of the service: requests go to the API and its pages, sockets of devices to the gateway. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { chance, digestOf } from './chance.ts';
import type { Config } from './config.ts';
import { createGateway, turnAway, type Gateway } from './gateway/gateway.ts';
import { loadIdentity } from './gateway/identity.ts';
import type { HouseParts } from './house.ts';
import { clientOfRequest, isWithin, parseNetworks, type Networks } from './http/client-address.ts';
import { openListener, type Listener, type ListenerOptions } from './http/listener.ts';
import { openLocations } from './location.ts';
import type { Log } from './log.ts';
import { listeningOn, StartRefused } from './start-refused.ts';
import type { ServerCertificate } from './tls/certificate.ts';

interface Behind {
  onRequest: RequestListener;
  gateway: Gateway;
  log: Log;
}

/** Opens the port that the settings name. */
export function openDoor(
  config: Config,
  tls: ServerCertificate,
  { onRequest, gateway, log }: Behind,
): Promise<Listener> {
  const trustedProxies = networks(config.trustedProxies);
  const options = {
    ...config.listen,
    tls,
    onRequest,
    onUpgrade: upgrader(gateway, trustedProxies),
    uncapped: (address: string) => isWithin(address, trustedProxies),
    onError: (error: Error) => log.error({ error: error.message }, 'the port is in trouble'),
  };
  return listeningOn('listen', options, openListener);
}

export function networks(list: readonly string[]): Networks {
  const parsed = parseNetworks(list);
  if ('error' in parsed) throw new StartRefused(parsed.error);
  return parsed.networks;
}

export async function openGateway(parts: HouseParts & { log: Log }): Promise<Gateway> {
  const { store, bus, log, certificate } = parts;
  const node = store.alone ? 'this' : randomUUID();
  const identity = await loadIdentity(store);
  const geoOf = await openLocations(parts.config().locationDatabase);
  return createGateway({ store, bus, log, node, identity, certificate, chance, digestOf, geoOf });
}

/** Hands a connection that wants to become a socket to the gateway; all others are sent away. */
const upgrader =
  (gateway: Gateway, trusted: Networks): NonNullable<ListenerOptions['onUpgrade']> =>
  (request, socket, head) => {
    const client = clientOfRequest(request, trusted);
    if (!client.https || !gateway.upgrade(request, socket, head, client.address)) turnAway(socket, 404);
  };
