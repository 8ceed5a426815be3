/** The relay: two sockets that show matching tickets are joined, and it reads no more of what they say than one byte a frame. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SlotOwner } from '@drawbridge/contract/fair-slots';
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { maxFrameBytes } from '@drawbridge/contract/session/frame-kinds';
import { relayPath, relayProtocol } from '@drawbridge/contract/session/open';
import { offersProtocol, rejectUpgrade, type UpgradeRejection } from '@drawbridge/contract/upgrades';
import { WebSocketServer, type WebSocket } from 'ws';
import { createPairingPeer, closeWithReason } from './peer.ts';
import { defaultRelayLimits, type RelayLimits } from './limits.ts';
import { createPairing, type PairingReport, type Pairing } from './pairing.ts';
import { createPendingSockets } from './pending-sockets.ts';
import { createTicketVerifier } from './ticket-verifier.ts';

export interface RelayOptions {
  /** The Ed25519 keys of the servers whose tickets count, in base64url. */
  serverKeys: readonly string[];
  /** The pages that may connect, as browsers write them in `Origin`. */
  origins: readonly string[];
  /** Unix time. */
  now(): number;
  /** Milliseconds of a clock that nobody sets. */
  clock?(): number;
  limits?: Partial<RelayLimits>;
  onPaired?(pair: string): void;
  /** Once for each pairing that anybody was admitted to. */
  onEnd?(report: PairingReport): void;
}

export interface RelayStats {
  /** Sockets that have not shown a ticket yet. */
  pendingSockets: number;
  /** Sides that wait for the other. */
  waiting: number;
  sessions: number;
  /** Bytes that wait for receivers. */
  buffered: number;
  /** Since the start, of pairings that ended. */
  bytes: number;
  dropped: number;
  /** Tickets that did not admit. */
  refused: number;
}

/** Who wants to open a socket, and whom it is counted by. */
export interface UpgradeOwner extends SlotOwner {
  /** Called once a ticket has admitted the socket. */
  settle?(): void;
}

export interface Relay {
  /** Takes over a connection that wants to become a socket; false when it is not for the relay. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeOwner): boolean;
  /** Whether anybody is there, to meet or to wait. */
  has(pair: string): boolean;
  /** Ends a pairing, also one that nobody came to yet; `reason` is a sentence for both. */
  close(pair: string, reason: string): void;
  /** Ends everything and admits nobody any more. */
  closeAll(): Promise<void>;
  stats(): RelayStats;
}

/** How long a socket may take to say goodbye. */
const closeTimeoutMs = 2_000;

const socketOptions = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: maxFrameBytes,
  maxFragments: 64,
  // The largest frame in the smallest packets of an honest network.
  maxBufferedChunks: 4_096,
  closeTimeout: closeTimeoutMs,
  handleProtocols: (offered: Set<string>) =>
    offered.has(countingProtocol) ? countingProtocol : relayProtocol,
};

export function createRelay(options: RelayOptions): Relay {
  const { clock = () => performance.now(), onPaired = () => {}, onEnd = () => {} } = options;
  const limits: RelayLimits = { ...defaultRelayLimits, ...options.limits };
  const origins = new Set(options.origins);
  const tickets = createTicketVerifier(options.serverKeys, options.now);
  const pending = createPendingSockets(limits, clock);
  const server = new WebSocketServer(socketOptions);
  const sockets = new Set<WebSocket>();
  const pairings = new Map<string, Pairing>();
  const totals = { bytes: 0, dropped: 0, refused: 0 };
  let isStopped = false;

  const deps = {
    limits,
    clock,
    onPaired,
    onEnd(report: PairingReport): void {
      pairings.delete(report.pair);
      totals.bytes += report.bytesToOperator + report.bytesToDevice;
      totals.dropped += report.dropped;
      onEnd(report);
    },
  };

  function admit(socket: WebSocket, text: string): boolean {
    // One that is being sent away must not use its ticket up.
    if (socket.readyState !== socket.OPEN) return false;
    const ticket = tickets.redeem(text);
    if (!ticket) {
      totals.refused += 1;
      closeWithReason(socket, 'refused');
      return false;
    }
    const at = clock();
    const pairing = pairings.get(ticket.pair) ?? createPairing(ticket.pair, at, deps);
    pairings.set(ticket.pair, pairing);
    pairing.join(createPairingPeer(socket, ticket, limits, at));
    return true;
  }

  const timer = setInterval(() => {
    const at = clock();
    pending.expire(at);
    for (const pairing of pairings.values()) pairing.check(at);
    tickets.sweep();
  }, limits.checkEveryMs);

  function refusalFor(request: IncomingMessage, from: SlotOwner): UpgradeRejection | undefined {
    const { origin } = request.headers;
    // A browser never leaves the header out, and whoever is no browser could write any into it.
    if (origin !== undefined && !origins.has(origin)) return 403;
    if (!offersProtocol(request, relayProtocol)) return 400;
    return isStopped || !pending.hasRoomFor(from) ? 503 : undefined;
  }

  return {
    upgrade(request, rawSocket, head, from) {
      if (request.url !== relayPath) return false;
      const http = refusalFor(request, from);
      if (http !== undefined) return rejectUpgrade(rawSocket, http);
      server.handleUpgrade(request, rawSocket, head, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        socket.on('error', () => socket.terminate());
        pending.add({ socket, rawSocket, from }, (text) => {
          const isAdmitted = admit(socket, text);
          if (isAdmitted) from.settle?.();
          return isAdmitted;
        });
      });
      return true;
    },
    has: (pair) => pairings.has(pair),
    close(pair, reason) {
      tickets.revoke(pair);
      pairings.get(pair)?.finish('server', 'ended', reason);
    },
    async closeAll() {
      isStopped = true;
      clearInterval(timer);
      for (const pairing of pairings.values()) pairing.finish('server', 'stopping');
      for (const socket of sockets) closeWithReason(socket, 'stopping');
      await Promise.all([...sockets].map(closed));
    },
    stats() {
      const all = [...pairings.values()];
      const sessions = all.filter(({ isPaired }) => isPaired).length;
      const buffered = all.reduce((sum, pairing) => sum + pairing.waiting(), 0);
      const dropped = all.reduce((sum, pairing) => sum + pairing.dropped(), totals.dropped);
      const pendingSockets = pending.size();
      return { ...totals, pendingSockets, waiting: all.length - sessions, sessions, buffered, dropped };
    },
  };
}

const closed = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => void socket.once('close', () => resolve()));
