/** Where the clients of invitations wait for operators: holds their lines, and tells them where to go. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isFault } from '@drawbridge/contract/faults';
import { readPreviewInfo } from '@drawbridge/contract/images';
import { lobbyPath, lobbyProtocol, lobbyUpByState, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { offersProtocol, rejectUpgrade } from '@drawbridge/contract/upgrades';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Bus } from '../bus/bus.ts';
import { brandView } from '../domain/brand.ts';
import { clientGrace } from '../domain/sessions.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { limitBytes } from './handshake-reader.ts';
import type { UpgradePeer } from './gateway.ts';
import { dismiss, hear, tell, type Line } from './lobby-line.ts';
import {
  clientArrivedSubject,
  clientSubject,
  previewSubject,
  type ClientArrival,
  type ClientCall,
} from './lobby-subjects.ts';
import { createLobbyTries } from './lobby-tries.ts';
import { createViolationLimiter } from './violation-limiter.ts';

export interface LobbyServices {
  store: Store;
  bus: Bus;
  log: Log;
  node: string;
  serverKey: string;
  random: { token(): string };
  /** Where the pages come from that may open a line; programs say no origin. */
  origin(): string;
  /** How long an invitation waits for somebody to join, in seconds. */
  lifetime: number;
}

export interface Lobby {
  /** Takes over a connection that wants to become a socket; false when it is not one of a client. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  close(): Promise<void>;
}

/** A picture, and some words around it. */
const largestUp = 210_000;
/** Bytes until the client has joined: it may send a picture or two before it is told that it has. */
const maxBytesBeforeJoin = 512 * 1_024;
const mostLines = 10_000;
const lookEveryMs = 1_000;
const renewRounds = 5;
const closed = 'The connection was closed.';
const tooMany = 'There were too many attempts from your network. Wait a minute, then try again.';

export function createLobby({ store, bus, log, node, ...services }: LobbyServices): Lobby {
  const lines = new Map<number, Line>();
  const sockets = new Set<WebSocket>();
  const tries = createLobbyTries();
  const violations = createViolationLimiter();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: largestUp,
    maxFragments: 64,
    maxBufferedChunks: 1_024,
    closeTimeout: 2_000,
    handleProtocols: () => lobbyProtocol,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
  const until = (): number => store.now() + clientGrace;

  /** From here on the line is the client's, and whoever held one for it before lets go. */
  function enter(line: Line): void {
    const { id, key, socket } = line;
    lines.get(id)?.socket.close(4_001, 'replaced');
    lines.set(id, line);
    const unsubscribers = [
      bus.answer(clientSubject(id), async (message) => {
        const { key: meant, ...way } = message as ClientCall;
        if (meant !== key || socket.readyState !== socket.OPEN) return false;
        tell(socket, { kind: 'session', ...way });
        return true;
      }),
      bus.answer(previewSubject(id), async () => line.picture),
    ];
    socket.once('close', () => {
      unsubscribers.forEach((each) => each());
      if (lines.get(id) !== line) return;
      lines.delete(id);
      // From now on it may be away for a while before anybody notices.
      store
        .change('invitations/renew', { clients: [{ id, key }], until: until() })
        .catch((error: unknown) => log.warn({ err: error }, 'could not store that a client left'));
    });
    bus.publish(clientArrivedSubject, { id, node } satisfies ClientArrival);
  }

  async function join(
    socket: WebSocket,
    { code, key, os }: Extract<LobbyUp, { kind: 'join' }>,
    address: string,
  ): Promise<Line | undefined> {
    const attempt = tries.begin({ code, key }, address);
    if (!attempt) return dismiss(socket, 'busy', tooMany);
    const preview = services.random.token();
    const given = { code, key, os, preview, until: until(), lifetime: services.lifetime };
    const joined = await store.change('invitations/join', given);
    if (isFault(joined)) {
      if (joined.fault === 'not_found')
        return dismiss(socket, 'unknown', 'This code is not valid or has expired. Ask for a new one.');
      attempt.right();
      return dismiss(socket, 'taken', 'Someone else has already joined with this code.');
    }
    attempt.joined();
    const { accountId, id } = joined.invitation;
    const line: Line = { socket, accountId, id, key, picture: undefined };
    const kept = await store.brands.of(accountId);
    // It may have gone while it was let in; nobody would notice its end any more.
    if (socket.readyState !== socket.OPEN) return undefined;
    tell(socket, {
      kind: 'welcome',
      owner: joined.owner,
      server_key: services.serverKey,
      ...(kept && { brand: brandView(kept) }),
    });
    enter(line);
    return line;
  }

  function receive(socket: WebSocket, wire: Duplex, { address, settle }: UpgradePeer): void {
    let line: Line | undefined;
    const onWrong = (): void => violations.record(address);
    const unlimit = limitBytes(wire, maxBytesBeforeJoin, onWrong);
    const work = async (message: LobbyUp): Promise<void> => {
      if (message.kind === 'join') {
        line = await join(socket, message, address);
        if (!line) return;
        unlimit();
        settle();
        violations.exempt(address);
        return;
      }
      const { accountId, id, key } = line!;
      if (message.kind === 'preview') {
        const found = readPreviewInfo(Buffer.from(message.picture, 'base64'));
        // One that is too large to be shown takes the place of none.
        if (found) line!.picture = { type: message.type, picture: message.picture };
      } else {
        await store.change('invitations/leave', { accountId, id, key });
        socket.close(1_000, 'goodbye');
      }
    };
    hear(socket, { expected: () => (line ? lobbyUpByState.joined : lobbyUpByState.unknown), work, onWrong });
  }

  let rounds = 0;
  async function round(): Promise<void> {
    for (const id of await store.invitations.closedOf([...lines.keys()]))
      dismiss(lines.get(id)!.socket, 'closed', closed);
    if (lines.size > 0 && rounds++ % renewRounds === 0)
      await store.change('invitations/renew', {
        clients: [...lines.values()].map(({ id, key }) => ({ id, key })),
        until: until(),
      });
    if (await store.invitations.hasLapsed(store.now())) await store.change('invitations/lapse', {});
  }
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      .catch((error: unknown) => log.warn({ err: error }, 'checking the clients failed; trying again later'))
      .finally(() => (running = undefined));
  }, lookEveryMs);

  // A client is on one node at a time: it may have left the one before without a word.
  const unsubscribeArrivals = bus.subscribe(clientArrivedSubject, (message) => {
    const arrival = message as ClientArrival;
    if (arrival.node === node) return;
    const line = lines.get(arrival.id);
    lines.delete(arrival.id);
    line?.socket.close(4_001, 'replaced');
  });

  return {
    upgrade(request, wire, head, peer) {
      if (request.url !== lobbyPath) return false;
      const { origin } = request.headers;
      if (origin !== undefined && origin !== services.origin()) return rejectUpgrade(wire, 403);
      if (!offersProtocol(request, lobbyProtocol)) return rejectUpgrade(wire, 400);
      if (violations.isBlocked(peer.address)) return rejectUpgrade(wire, 429);
      if (sockets.size >= mostLines) return rejectUpgrade(wire, 503);
      server.handleUpgrade(request, wire, head, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        socket.on('error', () => socket.terminate());
        receive(socket, wire, peer);
      });
      return true;
    },
    async close() {
      clearInterval(timer);
      unsubscribeArrivals();
      const clients = [...lines.values()].map(({ id, key }) => ({ id, key }));
      lines.clear();
      for (const socket of sockets) socket.close(1_012, 'the server stops');
      await running;
      if (clients.length > 0) await store.change('invitations/renew', { clients, until: until() });
      for (const socket of sockets) socket.terminate();
    },
  };
}
