/** A relay that runs alone: it carries the sessions of servers that it knows by their keys, while they control it. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import type { RelayMessage, ServerControlMessage } from '@drawbridge/contract/session/relay-control';
import type { PairingReport } from '../pairing.ts';
import { createRelay, type Relay, type RelayOptions } from '../relay.ts';
import { closeSocket } from '../socket-server.ts';
import {
  createControlEndpoint,
  type ControlEndpointOptions,
  type ControlPeer,
  type ControlUpgradeFrom,
} from './control-endpoint.ts';

interface RemoteRelayOptions
  extends
    Pick<RelayOptions, 'now' | 'limits'>,
    Pick<ControlEndpointOptions, 'key' | 'serverKeys' | 'certificate'> {
  /** The version of Drawbridge that it runs. */
  version: string;
  /** How long sessions go on when their server is no longer connected. */
  graceSeconds?: number;
}

export interface RemoteRelay extends Pick<Relay, 'stats'> {
  /** False when the request asks for another path. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: ControlUpgradeFrom): boolean;
  /** How many servers, or nodes of them, are connected. */
  servers(): number;
  close(): Promise<void>;
}

/** The sessions of one node of a server. */
interface Owner {
  peer: ControlPeer | undefined;
  /** When control was lost, in milliseconds of a monotonic clock. */
  lostAt: number;
  origin: string;
  /** The bytes of each pairing that were reported last. */
  readonly pairs: Map<string, number>;
  /** Ends that could not be reported yet. */
  unreported: PairingReport[];
}

interface State {
  readonly owners: Map<string, Owner>;
  /** The owner of each pairing. */
  readonly byPair: Map<string, string>;
  readonly relay: Relay;
  readonly graceMs: number;
  /** What servers are told about this relay. */
  readonly describe: () => { version: string; now: number };
}

const checkEveryMs = 1_000;
/** A server that stays away longer does not learn how its sessions ended; it has given them up long before. */
const forgetAfterMs = 3_600_000;
const maxUnreported = 20_000;
const defaultGraceSeconds = 30;

const ownerKey = ({ serverKey, node = '' }: { serverKey: string; node?: string | undefined }): string =>
  `${serverKey} ${node}`;

export function createRemoteRelay(options: RemoteRelayOptions): RemoteRelay {
  const { key, serverKeys, certificate, version, now, graceSeconds = defaultGraceSeconds } = options;
  const [owners, byPair] = [new Map<string, Owner>(), new Map<string, string>()];
  const relay = createOwnedRelay(options, { owners, byPair });
  const describe = () => ({ version, now: now() });
  const state: State = { owners, byPair, relay, graceMs: graceSeconds * 1_000, describe };
  const control = createControlEndpoint({
    key,
    serverKeys,
    certificate,
    onConnected: (peer) => connected(state, peer),
    onMessage: (peer, message) => obey(state, peer, message),
    onDisconnected: (peer) => disconnected(state, peer),
  });
  const timer = setInterval(() => check(state), checkEveryMs);
  return {
    upgrade: (request, socket, head, from) =>
      relay.upgrade(request, socket, head, from) || control.upgrade(request, socket, head, from),
    stats: relay.stats,
    servers: () => [...owners.values()].filter(({ peer }) => peer).length,
    async close() {
      clearInterval(timer);
      await relay.closeAll();
      await control.close();
    },
  };
}

type Owners = Pick<State, 'owners' | 'byPair'>;

/** A relay whose pairings belong to the server that signed their tickets. */
function createOwnedRelay(options: RemoteRelayOptions, state: Owners): Relay {
  const { owners, byPair } = state;
  const ownerOf = (pair: string): Owner | undefined => owners.get(byPair.get(pair) ?? '');
  return createRelay({
    ...options,
    origins: { includes: (origin) => [...owners.values()].some((owner) => owner.origin === origin) },
    remote: {
      key: options.key.publicKey,
      isControlled(ticket) {
        const name = ownerKey(ticket);
        return owners.get(name)?.peer !== undefined && (byPair.get(ticket.pair) ?? name) === name;
      },
      onJoined(ticket) {
        const { pair } = ticket;
        byPair.set(pair, ownerKey(ticket));
        ownerOf(pair)?.pairs.set(pair, 0);
        ownerOf(pair)?.peer?.send({ kind: 'joined', pair });
      },
    },
    onPaired: (pair) => ownerOf(pair)?.peer?.send({ kind: 'paired', pair }),
    onEnd: (report) => reportEnd(state, report),
  });
}

function reportEnd({ owners, byPair }: Owners, report: PairingReport): void {
  const owner = owners.get(byPair.get(report.pair) ?? '');
  byPair.delete(report.pair);
  owner?.pairs.delete(report.pair);
  if (owner?.peer) owner.peer.send(toEndMessage(report));
  else if (owner && owner.unreported.length < maxUnreported) owner.unreported.push(report);
}

const toEndMessage = ({ pair, by, code, ...report }: PairingReport): RelayMessage => ({
  kind: 'end',
  pair,
  to_operator: report.bytesToOperator,
  to_device: report.bytesToDevice,
  direct: report.directBytes,
  by,
  code,
});

/** Tells the server what it missed. Pairings that it does not know have lost their server: their sides connect again. */
function connected({ owners, relay, describe }: State, peer: ControlPeer): void {
  const name = ownerKey(peer);
  const before = owners.get(name);
  const owner: Owner = before ?? { peer, lostAt: 0, origin: '', pairs: new Map(), unreported: [] };
  const replaced = before?.peer;
  owner.peer = peer;
  owner.origin = peer.origin;
  owners.set(name, owner);
  if (replaced) closeSocket(replaced.socket, relayCloseCodes.gone);
  for (const pair of owner.pairs.keys()) if (!peer.pairs.has(pair)) relay.release(pair);
  const sessions = [...owner.pairs.keys()]
    .filter((pair) => peer.pairs.has(pair))
    .map((pair) => ({ pair, paired: relay.isPaired(pair), bytes: relay.bytesOf(pair) }));
  for (const report of owner.unreported.splice(0)) peer.send(toEndMessage(report));
  peer.send({ kind: 'welcome', sessions, ...describe() });
}

/** A server ends only its own pairings. The tickets of one that no side has joined yet are revoked. */
function obey(
  { byPair, relay }: State,
  peer: ControlPeer,
  message: Extract<ServerControlMessage, { kind: 'close' | 'release' }>,
): void {
  const name = ownerKey(peer);
  if ((byPair.get(message.pair) ?? name) !== name) return;
  if (message.kind === 'close') relay.close(message.pair, message.reason, peer.serverKey);
  else relay.release(message.pair);
}

function disconnected({ owners }: State, peer: ControlPeer): void {
  const owner = owners.get(ownerKey(peer));
  if (owner?.peer !== peer) return;
  owner.peer = undefined;
  owner.lostAt = performance.now();
}

function check({ owners, relay, graceMs }: State): void {
  const now = performance.now();
  for (const [name, owner] of owners) {
    if (owner.peer) reportBytes(owner, owner.peer, relay);
    else if (now - owner.lostAt >= forgetAfterMs && owner.pairs.size === 0) owners.delete(name);
    else if (now - owner.lostAt >= graceMs) for (const pair of owner.pairs.keys()) relay.release(pair);
  }
}

function reportBytes({ pairs }: Owner, peer: ControlPeer, relay: Relay): void {
  const counts: { pair: string; bytes: number }[] = [];
  for (const [pair, reported] of pairs) {
    const bytes = relay.bytesOf(pair);
    if (bytes === reported) continue;
    pairs.set(pair, bytes);
    counts.push({ pair, bytes });
  }
  if (counts.length > 0) peer.send({ kind: 'bytes', counts });
}
