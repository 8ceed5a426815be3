/** The relay: pairs two WebSockets that present matching tickets. Of each frame it reads only the first byte. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import type { SlotOwner } from '@drawbridge/contract/fair-slots';
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import type { WebSocket } from 'ws';
import { createForwarder, forwardedHeader, type Forwarder, type RelayNodes } from './forwarder.ts';
import { defaultRelayLimits, nodePingSeconds, type RelayLimits } from './limits.ts';
import { createPairing, type Pairing, type PairingReport } from './pairing.ts';
import { createPairingPeer } from './peer.ts';
import { createPendingSockets, type PendingSockets } from './pending-sockets.ts';
import { closeSocket, createSocketServer, type SocketServer } from './socket-server.ts';
import { createTicketVerifier, type TicketVerifier, type VerifiedTicket } from './ticket-verifier.ts';

export interface RelayOptions {
  /** The Ed25519 keys of the servers whose tickets are accepted, in base64url. */
  serverKeys: readonly string[];
  /** The origins of the pages that may connect, as browsers send them in `Origin`. */
  origins: { includes(origin: string): boolean };
  /** Present if this relay runs alone. */
  remote?: RemoteRelayPart | undefined;
  /** Unix time. */
  now(): number;
  /** Milliseconds of a monotonic clock. */
  clock?(): number;
  limits?: Partial<RelayLimits>;
  /** Absent on a server that is alone. */
  nodes?: RelayNodes | undefined;
  onPaired?(pair: string): void;
  /** Called once for each pairing that at least one side was admitted to. */
  onEnd?(report: PairingReport): void;
}

/** What makes a relay one that runs alone. */
interface RemoteRelayPart {
  /** Its own key: it accepts only tickets that name it. */
  key: string;
  /** Whether the server that signed the ticket is connected and can end the session. */
  isControlled(ticket: VerifiedTicket): boolean;
  /** The first side of a pairing was admitted. */
  onJoined(ticket: VerifiedTicket): void;
}

interface RelayStats {
  /** WebSockets that have not presented a ticket yet. */
  pendingSockets: number;
  /** Sides that wait for the other. */
  waiting: number;
  sessions: number;
  /** Bytes that wait to be sent. */
  buffered: number;
  /** Bytes forwarded since the start, in pairings that have ended. */
  bytes: number;
  dropped: number;
  /** Tickets that were not accepted. */
  refused: number;
}

/** The client that asks for a WebSocket, and the owner of the slot that it takes. */
interface UpgradeOwner extends SlotOwner {
  /** Called once a ticket has admitted the WebSocket. */
  settle?(): void;
}

export interface Relay {
  /** Takes over a connection that wants to become a WebSocket; false when it asks for another path. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeOwner): boolean;
  /** Whether at least one side is connected. */
  has(pair: string): boolean;
  /** Whether both sides are connected. */
  isPaired(pair: string): boolean;
  /** What a pairing has carried so far. */
  bytesOf(pair: string): number;
  /** Ends a pairing, also one that no side has joined yet; `reason` is a sentence for both sides. With a key, only tickets of that server are revoked. */
  close(pair: string, reason: string, serverKey?: string): void;
  /** Ends a pairing so that its two sides connect again, at another relay. */
  release(pair: string): void;
  /** Ends every pairing and accepts no more connections. */
  closeAll(): Promise<void>;
  stats(): RelayStats;
}

interface State {
  readonly options: RelayOptions;
  readonly limits: RelayLimits;
  readonly clock: () => number;
  readonly tickets: TicketVerifier;
  readonly pending: PendingSockets;
  readonly sockets: SocketServer;
  readonly pairings: Map<string, Pairing>;
  readonly forwarder: Forwarder | undefined;
  readonly totals: { bytes: number; dropped: number; refused: number };
  isStopped: boolean;
}

export function createRelay(options: RelayOptions): Relay {
  const clock = options.clock ?? (() => performance.now());
  const limits: RelayLimits = { ...defaultRelayLimits, ...options.limits };
  const state: State = {
    options,
    limits,
    clock,
    tickets: createTicketVerifier({ ...options, relayKey: options.remote?.key }),
    pending: createPendingSockets(limits, clock),
    sockets: createRelaySockets(options.origins),
    pairings: new Map(),
    forwarder: options.nodes && createForwarder({ find: options.nodes.find, limits, clock }),
    totals: { bytes: 0, dropped: 0, refused: 0 },
    isStopped: false,
  };
  const timer = setInterval(() => check(state), limits.checkEveryMs);
  return {
    upgrade: (request, rawSocket, head, from) =>
      state.sockets.upgrade(request, rawSocket, head, {
        reject: () => (state.isStopped || !state.pending.hasRoomFor(from) ? 503 : undefined),
        onOpen(socket) {
          const client = { ...from, isForwarded: forwardedHeader in request.headers };
          state.pending.add({ socket, rawSocket, from }, (text) => admit(state, socket, text, client));
        },
      }),
    has: (pair) => state.pairings.has(pair),
    isPaired: (pair) => state.pairings.get(pair)?.isPaired ?? false,
    bytesOf: (pair) => state.pairings.get(pair)?.bytes() ?? 0,
    close: (pair, reason, serverKey) => close(state, pair, reason, serverKey),
    release: (pair) => state.pairings.get(pair)?.finish('server', 'stopping'),
    closeAll() {
      clearInterval(timer);
      return closeAll(state);
    },
    stats: () => statsOf(state),
  };
}

const createRelaySockets = (origins: RelayOptions['origins']): SocketServer =>
  createSocketServer({
    path: relayPath,
    protocols: [countingProtocol, relayProtocol],
    maxPayload: maxFrameBytes,
    // The largest frame in the smallest packets of an honest network.
    maxBufferedChunks: 4_096,
    allowsOrigin: (origin) => origin === undefined || origins.includes(origin),
  });

/** Revokes the tickets of a pairing and ends it. */
function close({ tickets, pairings }: State, pair: string, reason: string, serverKey?: string): void {
  tickets.revoke(pair, serverKey);
  pairings.get(pair)?.finish('server', 'ended', reason);
}

function check({ clock, pending, pairings, tickets, forwarder }: State): void {
  const at = clock();
  pending.expire(at);
  for (const pairing of pairings.values()) pairing.check(at);
  forwarder?.check(at);
  tickets.sweep();
}

interface ClientOwner extends UpgradeOwner {
  /** Whether another node has passed it on. It is not passed on twice, because addresses of nodes may be stale. */
  isForwarded: boolean;
}

function admit(state: State, socket: WebSocket, text: string, from: ClientOwner): boolean {
  // A socket that is being closed must not use up its ticket.
  if (socket.readyState !== socket.OPEN) return false;
  const ticket = state.tickets.redeem(text);
  if (!ticket) {
    state.totals.refused += 1;
    closeSocket(socket, relayCloseCodes.refused);
    return false;
  }
  const { forwarder, options, clock, limits } = state;
  if (options.remote?.isControlled(ticket) === false) closeSocket(socket, relayCloseCodes.unreachable);
  else if (!forwarder || ticket.node === undefined || ticket.node === options.nodes?.id) {
    const pairing = state.pairings.get(ticket.pair) ?? startPairing(state, ticket, clock());
    const ownLimits = from.isForwarded ? { ...limits, pingSeconds: nodePingSeconds } : limits;
    const peer = createPairingPeer(socket, ticket, ownLimits, clock());
    if (pairing) pairing.join({ ...peer, isForwarded: from.isForwarded });
    else closeSocket(socket, relayCloseCodes.stopping);
  } else if (from.isForwarded) closeSocket(socket, relayCloseCodes.unreachable);
  else forwarder.forward(socket, { ...ticket, node: ticket.node }, text);
  from.settle?.();
  return true;
}

/** Undefined if there are too many already. */
function startPairing(
  { pairings, totals, limits, clock, options }: State,
  ticket: VerifiedTicket,
  at: number,
): Pairing | undefined {
  if (pairings.size >= limits.pairings) return undefined;
  const { pair } = ticket;
  options.remote?.onJoined(ticket);
  const pairing = createPairing(pair, at, {
    limits,
    clock,
    onPaired: (paired) => options.onPaired?.(paired),
    onEnd(report) {
      pairings.delete(report.pair);
      totals.bytes += report.bytesToOperator + report.bytesToDevice;
      totals.dropped += report.dropped;
      options.onEnd?.(report);
    },
  });
  pairings.set(pair, pairing);
  return pairing;
}

async function closeAll(state: State): Promise<void> {
  state.isStopped = true;
  for (const pairing of state.pairings.values()) pairing.finish('server', 'stopping');
  state.sockets.closeAll(relayCloseCodes.stopping);
  await state.sockets.closed();
}

function statsOf({ pairings, pending, totals }: State): RelayStats {
  const all = [...pairings.values()];
  const sessions = all.filter(({ isPaired }) => isPaired).length;
  const buffered = all.reduce((sum, pairing) => sum + pairing.waiting(), 0);
  const dropped = all.reduce((sum, pairing) => sum + pairing.dropped(), totals.dropped);
  const pendingSockets = pending.size();
  return { ...totals, pendingSockets, waiting: all.length - sessions, sessions, buffered, dropped };
}
