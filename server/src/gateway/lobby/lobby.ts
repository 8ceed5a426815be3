/** Where the clients of invitations wait for operators: holds their lines, and tells them where to go. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isFault } from '@drawbridge/contract/faults';
import { readPreviewInfo } from '@drawbridge/contract/images';
import { lobbyPath, lobbyProtocol, lobbyUpByState, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { offersProtocol, rejectUpgrade } from '@drawbridge/contract/upgrades';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Bus } from '../../bus/bus.ts';
import { brandView } from '../../domain/brand.ts';
import { clientGrace } from '../../domain/sessions.ts';
import type { Log } from '../../edges/log.ts';
import type { Store } from '../../store/store.ts';
import { limitBytes } from '../devices/handshake-reader.ts';
import type { UpgradePeer } from '../devices/gateway.ts';
import { dismissClient, receiveLobbyMessages, sendToClient, type LobbyClient } from './lobby-client.ts';
import {
  clientArrivedSubject,
  clientSubject,
  previewSubject,
  type ClientArrival,
  type ClientCall,
} from './lobby-subjects.ts';
import { createJoinCodeLimiter } from './join-code-limiter.ts';
import { createViolationLimiter } from '../devices/violation-limiter.ts';

export interface LobbyDeps {
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
const maxClients = 10_000;
const checkEveryMs = 1_000;
const checksPerRenewal = 5;
const closed = 'The connection was closed.';
const tooMany = 'There were too many attempts from your network. Wait a minute, then try again.';

export function createLobby({ store, bus, log, node, ...deps }: LobbyDeps): Lobby {
  const clientsById = new Map<number, LobbyClient>();
  const sockets = new Set<WebSocket>();
  const joinCodes = createJoinCodeLimiter();
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
  function register(client: LobbyClient): void {
    const { id, key, socket } = client;
    clientsById.get(id)?.socket.close(4_001, 'replaced');
    clientsById.set(id, client);
    const unsubscribers = [
      bus.answer(clientSubject(id), async (message) => {
        const { key: intendedKey, ...credentials } = message as ClientCall;
        if (intendedKey !== key || socket.readyState !== socket.OPEN) return false;
        sendToClient(socket, { kind: 'session', ...credentials });
        return true;
      }),
      bus.answer(previewSubject(id), async () => client.preview),
    ];
    socket.once('close', () => {
      unsubscribers.forEach((each) => each());
      if (clientsById.get(id) !== client) return;
      clientsById.delete(id);
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
  ): Promise<LobbyClient | undefined> {
    const attempt = joinCodes.begin({ code, key }, address);
    if (!attempt) return dismissClient(socket, 'busy', tooMany);
    const preview = deps.random.token();
    const given = { code, key, os, preview, until: until(), lifetime: deps.lifetime };
    const joined = await store.change('invitations/join', given);
    if (isFault(joined)) {
      if (joined.fault === 'not_found')
        return dismissClient(socket, 'unknown', 'This code is not valid or has expired. Ask for a new one.');
      attempt.right();
      return dismissClient(socket, 'taken', 'Someone else has already joined with this code.');
    }
    attempt.joined();
    const { accountId, id } = joined.invitation;
    const client: LobbyClient = { socket, accountId, id, key, preview: undefined };
    const kept = await store.brands.of(accountId);
    // It may have gone while it was let in; nobody would notice its end any more.
    if (socket.readyState !== socket.OPEN) return undefined;
    sendToClient(socket, {
      kind: 'welcome',
      owner: joined.owner,
      server_key: deps.serverKey,
      ...(kept && { brand: brandView(kept) }),
    });
    register(client);
    return client;
  }

  function receive(socket: WebSocket, rawSocket: Duplex, { address, settle }: UpgradePeer): void {
    let client: LobbyClient | undefined;
    const onInvalid = (): void => violations.record(address);
    const stopCounting = limitBytes(rawSocket, maxBytesBeforeJoin, onInvalid);
    const handle = async (message: LobbyUp): Promise<void> => {
      if (message.kind === 'join') {
        client = await join(socket, message, address);
        if (!client) return;
        stopCounting();
        settle();
        violations.exempt(address);
        return;
      }
      const { accountId, id, key } = client!;
      if (message.kind === 'preview') {
        const found = readPreviewInfo(Buffer.from(message.picture, 'base64'));
        // One that is too large to be shown takes the place of none.
        if (found) client!.preview = { type: message.type, picture: message.picture };
      } else {
        await store.change('invitations/leave', { accountId, id, key });
        socket.close(1_000, 'goodbye');
      }
    };
    receiveLobbyMessages(socket, {
      expectedKinds: () => (client ? lobbyUpByState.joined : lobbyUpByState.unknown),
      handle,
      onInvalid,
    });
  }

  let checks = 0;
  async function check(): Promise<void> {
    for (const id of await store.invitations.closedOf([...clientsById.keys()]))
      dismissClient(clientsById.get(id)!.socket, 'closed', closed);
    if (clientsById.size > 0 && checks++ % checksPerRenewal === 0)
      await store.change('invitations/renew', {
        clients: [...clientsById.values()].map(({ id, key }) => ({ id, key })),
        until: until(),
      });
    if (await store.invitations.hasLapsed(store.now())) await store.change('invitations/lapse', {});
  }
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'checking the clients failed; trying again later'))
      .finally(() => (running = undefined));
  }, checkEveryMs);

  // A client is on one node at a time: it may have left the one before without a word.
  const unsubscribeArrivals = bus.subscribe(clientArrivedSubject, (message) => {
    const arrival = message as ClientArrival;
    if (arrival.node === node) return;
    const client = clientsById.get(arrival.id);
    clientsById.delete(arrival.id);
    client?.socket.close(4_001, 'replaced');
  });

  return {
    upgrade(request, rawSocket, head, peer) {
      if (request.url !== lobbyPath) return false;
      const { origin } = request.headers;
      if (origin !== undefined && origin !== deps.origin()) return rejectUpgrade(rawSocket, 403);
      if (!offersProtocol(request, lobbyProtocol)) return rejectUpgrade(rawSocket, 400);
      if (violations.isBlocked(peer.address)) return rejectUpgrade(rawSocket, 429);
      if (sockets.size >= maxClients) return rejectUpgrade(rawSocket, 503);
      server.handleUpgrade(request, rawSocket, head, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        socket.on('error', () => socket.terminate());
        receive(socket, rawSocket, peer);
      });
      return true;
    },
    async close() {
      clearInterval(timer);
      unsubscribeArrivals();
      const clients = [...clientsById.values()].map(({ id, key }) => ({ id, key }));
      clientsById.clear();
      for (const socket of sockets) socket.close(1_012, 'the server stops');
      await running;
      if (clients.length > 0) await store.change('invitations/renew', { clients, until: until() });
      for (const socket of sockets) socket.terminate();
    },
  };
}
