/** The address at which other nodes reach this one: the setting, or the one from which this node reaches NATS or the database. */
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { postgresUrlsOf } from '../../domain/postgres-url.ts';
import type { Config } from '../../config/config.ts';

const anyAddress: readonly string[] = ['0.0.0.0', '::'];
const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/** `host:port`; `config` has the actual port. */
export async function findNodeAddress({ nodeAddress, listen, bus, database }: Config): Promise<string> {
  if (nodeAddress) return toText(nodeAddress.host, nodeAddress.port);
  if (!anyAddress.includes(listen.host)) return toText(listen.host, listen.port);
  const urls = [...(bus?.addresses ?? []), ...((database && postgresUrlsOf(database)) || [])];
  const found = await Promise.all(urls.map((url) => localAddressTowards(new URL(url).hostname)));
  const host = found.find((address) => address !== undefined && !isLoopback(address)) ?? '127.0.0.1';
  return toText(host, listen.port);
}

const toText = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** Asks the operating system for the route; a connected UDP socket sends nothing. */
async function localAddressTowards(hostname: string): Promise<string | undefined> {
  const host = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
  if (!host) return undefined;
  const socket = createSocket(host.family === 6 ? 'udp6' : 'udp4');
  socket.connect(9, host.address);
  return once(socket, 'connect')
    .then(
      () => socket.address().address,
      () => undefined,
    )
    .finally(() => socket.close());
}
