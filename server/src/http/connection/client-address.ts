/** Parses networks, and finds the client's address behind trusted proxies. */
import { fault, type Fault } from '@drawbridge/contract/faults';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net';
import type { TLSSocket } from 'node:tls';

export interface Networks {
  /** The networks in normalized form, for logs and settings pages. */
  list: readonly string[];
  blocks: BlockList;
}

export interface ConnectionInfo {
  remoteAddress: string | undefined;
  encrypted: boolean;
  headers: IncomingHttpHeaders;
}

interface Client {
  address: string;
  https: boolean;
}

interface Network {
  address: string;
  family: 'ipv4' | 'ipv6';
  prefix: number;
}

const mappedPrefix = '::ffff:';
/** An IPv4 address mapped into IPv6 follows after this many bits. */
const mappedBits = 96;

/** Accepts single addresses and networks (`10.0.0.0/8`, `fd00::/8`); the fault names the first entry that is neither. */
export function parseNetworks(entries: readonly string[]): { networks: Networks } | Fault<'invalid'> {
  const blocks = new BlockList();
  const list: string[] = [];
  for (const entry of entries) {
    const network = parseNetwork(entry.trim());
    if (!network) return fault('invalid', { message: `"${entry}" is not an address or a network.` });
    blocks.addSubnet(network.address, network.prefix, network.family);
    list.push(`${network.address}/${network.prefix}`);
  }
  return { networks: { list, blocks } };
}

export function isInNetworks(address: string, networks: Networks): boolean {
  if (networks.list.length === 0) return false;
  const plain = toPlainAddress(address);
  return plain !== undefined && networks.blocks.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}

/** The forwarding headers count only if the peer is a trusted proxy. */
export function clientOf(connection: ConnectionInfo, trustedProxies: Networks): Client {
  const peer = toPlainAddress(connection.remoteAddress ?? '') ?? '';
  if (!isInNetworks(peer, trustedProxies)) return { address: peer, https: connection.encrypted };
  return {
    address: forwardedFor(toList(connection.headers['x-forwarded-for']), peer, trustedProxies),
    https: isForwardedHttps(toList(connection.headers['x-forwarded-proto'])) ?? connection.encrypted,
  };
}

/** The clients of connections on which no proxy speaks for others. */
const directClients = new WeakMap<Socket, Client>();

/** Returns who sent a request, and whether the client used HTTPS. */
export function clientOfRequest({ socket, headers }: IncomingMessage, trustedProxies: Networks): Client {
  const known = directClients.get(socket);
  if (known) return known;
  const { remoteAddress, encrypted = false } = socket as Partial<TLSSocket>;
  const client = clientOf({ remoteAddress, encrypted, headers }, trustedProxies);
  if (trustedProxies.list.length === 0) directClients.set(socket, client);
  return client;
}

/** Each proxy appends its peer, so from the right, the first address that is not a trusted proxy is the client. */
function forwardedFor(hops: string[], peer: string, trustedProxies: Networks): string {
  let client = peer;
  for (const hop of hops.toReversed()) {
    const address = toPlainAddress(withoutPort(hop));
    // Nothing to the left of a malformed hop can be trusted.
    if (address === undefined) return client;
    client = address;
    if (!isInNetworks(address, trustedProxies)) return client;
  }
  return client;
}

/** Returns undefined without a header; with several values, all must be https. */
function isForwardedHttps(protocols: string[]): boolean | undefined {
  return protocols.length === 0
    ? undefined
    : protocols.every((protocol) => protocol.toLowerCase() === 'https');
}

function toList(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}

/** `1.2.3.4:5678` and `[::1]:443` lose the port, `[::1]` its brackets. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(hop);
  return bracketed?.[1] ?? hop.replace(/^([\d.]+):\d{1,5}$/, '$1');
}

function parseNetwork(entry: string): Network | undefined {
  const [text = '', bits, ...rest] = entry.split('/');
  const kind = isIP(text);
  const address = toPlainAddress(text);
  if (rest.length > 0 || address === undefined || text.includes('%')) return undefined;
  const size = kind === 6 ? 128 : 32;
  if (bits !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > size)) return undefined;
  const given = bits === undefined ? size : Number(bits);
  if (isIP(address) === kind) return { address, family: kind === 6 ? 'ipv6' : 'ipv4', prefix: given };
  // A network of mapped addresses is an IPv4 network, unless it contains other addresses too.
  return given < mappedBits ? undefined : { address, family: 'ipv4', prefix: given - mappedBits };
}

/** Normalizes an address: IPv6 in its short form without zone, mapped IPv4 as IPv4. */
function toPlainAddress(text: string): string | undefined {
  const kind = isIP(text);
  if (kind === 0) return undefined;
  if (kind === 4) return text;
  const { address } = new SocketAddress({ address: text.replace(/%.*$/, ''), family: 'ipv6' });
  return address.startsWith(mappedPrefix) && address.includes('.')
    ? address.slice(mappedPrefix.length)
    : address;
}
