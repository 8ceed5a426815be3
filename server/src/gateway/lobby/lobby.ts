/** Where the clients of invitations wait for operators: holds their WebSockets and sends them to sessions. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import { isFault } from '@drawbridge/contract/faults';
import { readPreviewInfo } from '@drawbridge/contract/images';
import { lobbyPath, lobbyProtocol, lobbyUpByState, type LobbyUp } from '@drawbridge/contract/session/lobby';
import type { RelayOffer } from '@drawbridge/contract/session/round-trips';
import { closeSocket, createSocketServer, type SocketServer } from '@drawbridge/relay/socket-server';
import type { WebSocket } from 'ws';
import type { Bus } from '../../bus/bus.ts';
import { brandView } from '../../domain/people/brand.ts';
import { clientGrace } from '../../domain/sessions/sessions.ts';
import type { Log } from '../../edges/log.ts';
import type { Store } from '../../store/store.ts';
import { limitBytes } from '../devices/handshake-reader.ts';
import { createViolationLimiter, type ViolationLimiter } from '../devices/violation-limiter.ts';
import type { UpgradePeer } from '../upgrade-peer.ts';
import { answerForClient } from './client-answers.ts';
import { inviterOf } from './inviter.ts';
import type { JoinCodeLimiter } from './join-code-limiter.ts';
import { dismissClient, receiveLobbyMessages, sendToClient, type LobbyClient } from './lobby-client.ts';
import { clientArrivedSubject, type ClientArrival } from './lobby-subjects.ts';

export interface LobbyDeps {
  store: Store;
  bus: Bus;
  log: Log;
  node: string;
  joinCodes: JoinCodeLimiter;
  serverKey: string;
  random: { token(): string };
  /** The origin of the pages that may connect; programs send none. */
  origin(): string;
  /** The relays that clients measure; none if the server has only its own. */
  relayOffers(): RelayOffer[];
  /** How long an invitation waits for a client, in seconds. */
  lifetime: number;
}

export interface Lobby {
  /** Takes over a connection that wants to become a WebSocket; false when it is not one of a client. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, peer: UpgradePeer): boolean;
  inviterOf(code: string, address: string): ReturnType<typeof inviterOf>;
  close(): Promise<void>;
}

interface State {
  readonly deps: LobbyDeps;
  readonly clients: Map<number, LobbyClient>;
  readonly sockets: SocketServer;
  readonly violations: ViolationLimiter;
  checks: number;
  /** The check that runs now. */
  checking: Promise<void> | undefined;
}

/** A picture and the message around it. */
const maxMessageBytes = 210_000;
/** Bytes before the client has joined: it may send a picture or two before it is told that it has. */
const maxBytesBeforeJoin = 512 * 1_024;
const maxClients = 10_000;
const [checkEveryMs, checksPerRenewal] = [1_000, 5];
const tooMany = 'There were too many attempts from your network. Wait a minute, then try again.';

export function createLobby(deps: LobbyDeps): Lobby {
  const state: State = {
    deps,
    clients: new Map(),
    sockets: createSocketServer({
      path: lobbyPath,
      protocols: [lobbyProtocol],
      maxPayload: maxMessageBytes,
      maxBufferedChunks: 1_024,
      allowsOrigin: (origin) => origin === undefined || origin === deps.origin(),
    }),
    violations: createViolationLimiter(),
    checks: 0,
    checking: undefined,
  };
  const timer = setInterval(() => startCheck(state), checkEveryMs);
  const unsubscribeArrivals = followArrivals(state);
  return {
    upgrade: (request, rawSocket, head, peer) =>
      state.sockets.upgrade(request, rawSocket, head, {
        reject: () => rejectionOf(state, peer),
        onOpen: (socket) => receive(state, socket, rawSocket, peer),
      }),
    inviterOf: (code, address) => inviterOf(deps, code, address),
    close() {
      clearInterval(timer);
      unsubscribeArrivals();
      return close(state);
    },
  };
}

function rejectionOf({ violations, sockets }: State, { address }: UpgradePeer): 429 | 503 | undefined {
  if (violations.isBlocked(address)) return 429;
  return sockets.size() >= maxClients ? 503 : undefined;
}

/** Until when a client counts as present. */
const presentUntil = ({ deps }: State): number => deps.store.now() + clientGrace;

/** A client is connected to one node at a time. It may have left the one before without notice. */
const followArrivals = ({ deps, clients }: State): (() => void) =>
  deps.bus.subscribe(clientArrivedSubject, (message) => {
    const { id, node } = message as ClientArrival;
    const client = node === deps.node ? undefined : clients.get(id);
    if (client) replaceClient(clients, client);
  });

function replaceClient(clients: State['clients'], client: LobbyClient): void {
  clients.delete(client.id);
  closeSocket(client.socket, lobbyCloseCodes.replaced);
}

function receive(state: State, socket: WebSocket, rawSocket: Duplex, { address, settle }: UpgradePeer): void {
  let client: LobbyClient | undefined;
  const onInvalid = (): void => state.violations.record(address);
  const stopCounting = limitBytes(rawSocket, maxBytesBeforeJoin, onInvalid);
  const handle = async (message: LobbyUp): Promise<void> => {
    if (message.kind !== 'join') return handleMessage(state, client!, message);
    client = await join(state, socket, message, address);
    if (!client) return;
    stopCounting();
    settle();
    state.violations.exempt(address);
  };
  receiveLobbyMessages(socket, {
    expectedKinds: () => (client ? lobbyUpByState.joined : lobbyUpByState.unknown),
    handle,
    onInvalid,
  });
}

async function handleMessage(
  { deps }: State,
  client: LobbyClient,
  message: Exclude<LobbyUp, { kind: 'join' }>,
): Promise<void> {
  if (message.kind === 'preview') {
    // A picture that is too large to be shown does not replace the one before.
    if (readPreviewInfo(Buffer.from(message.picture, 'base64')))
      client.preview = { type: message.type, picture: message.picture };
    return;
  }
  if (message.kind === 'round_trips') return void (client.roundTrips = message.round_trips);
  const { accountId, id, key, socket } = client;
  await deps.store.change('invitations/leave', { accountId, id, key });
  closeSocket(socket, lobbyCloseCodes.left);
}

async function join(
  state: State,
  socket: WebSocket,
  { code, key, os, round_trips: roundTrips = [] }: Extract<LobbyUp, { kind: 'join' }>,
  address: string,
): Promise<LobbyClient | undefined> {
  const { store, random, lifetime, serverKey, joinCodes } = state.deps;
  const relays = state.deps.relayOffers();
  const attempt = await joinCodes.begin({ code, key }, address);
  if (!attempt) return dismissClient(socket, 'busy', tooMany);
  const holder = random.token();
  const input = { code, key, holder, os, preview: random.token(), until: presentUntil(state), lifetime };
  const joined = await store.change('invitations/join', input);
  if (isFault(joined)) {
    if (joined.fault === 'not_found')
      return dismissClient(socket, 'unknown', 'This code is not valid or has expired. Ask for a new one.');
    attempt.right();
    return dismissClient(socket, 'taken', 'Someone else has already joined with this code.');
  }
  attempt.joined();
  const { accountId, id } = joined.invitation;
  const brand = await store.brands.of(accountId);
  // It may have left meanwhile; its `close` event is then over.
  if (socket.readyState !== socket.OPEN) return undefined;
  sendToClient(socket, {
    kind: 'welcome',
    owner: joined.owner,
    server_key: serverKey,
    ...(brand && { brand: brandView(brand) }),
    ...(relays.length > 0 && { relays }),
  });
  const client: LobbyClient = { socket, accountId, id, key, holder, preview: undefined, roundTrips };
  register(state, client);
  return client;
}

/** From now on this WebSocket is the client's; an older one is closed, on every node. */
function register(state: State, client: LobbyClient): void {
  const { clients, deps } = state;
  const { id, key, holder, socket } = client;
  const previous = clients.get(id);
  if (previous) closeSocket(previous.socket, lobbyCloseCodes.replaced);
  clients.set(id, client);
  const stopAnswering = answerForClient(deps.bus, client);
  socket.once('close', () => {
    stopAnswering();
    if (clients.get(id) !== client) return;
    clients.delete(id);
    void storeThatLeft(state, [{ id, key, holder }]);
  });
  deps.bus.publish(clientArrivedSubject, { id, node: deps.node } satisfies ClientArrival);
}

/** They may be away for a while before they count as gone. */
const storeThatLeft = (state: State, clients: ReturnType<typeof refsOf>): Promise<unknown> =>
  state.deps.store
    .change('invitations/renew', { clients, until: presentUntil(state) })
    .catch((error: unknown) => state.deps.log.warn({ err: error }, 'could not store that a client left'));

function startCheck(state: State): void {
  const { log } = state.deps;
  state.checking ??= check(state)
    .catch((error: unknown) => log.warn({ err: error }, 'checking the clients failed; trying again later'))
    .finally(() => (state.checking = undefined));
}

const refsOf = ({ clients }: State): Pick<LobbyClient, 'id' | 'key' | 'holder'>[] =>
  [...clients.values()].map(({ id, key, holder }) => ({ id, key, holder }));

/** Closes the connections of clients that have left it, renews those that are here, and ends those whose time is over. */
async function check(state: State): Promise<void> {
  const { clients, deps } = state;
  const { store } = deps;
  const here = [...clients.values()];
  const holders = await store.invitations.holders(here.map(({ id }) => id));
  for (const client of here) compareWithStore(state, client, holders.get(client.id));
  if (clients.size > 0 && state.checks++ % checksPerRenewal === 0)
    await store.change('invitations/renew', { clients: refsOf(state), until: presentUntil(state) });
  if (await store.invitations.hasLapsed(store.now())) await store.change('invitations/lapse', {});
}

/** Dismisses the client of a closed invitation, and one that has joined at another node without this one having heard of it. */
function compareWithStore({ clients }: State, client: LobbyClient, holder: string | undefined): void {
  if (clients.get(client.id) !== client) return;
  if (holder === undefined) dismissClient(client.socket, 'closed', 'The connection was closed.');
  else if (holder !== '' && holder !== client.holder) replaceClient(clients, client);
}

async function close(state: State): Promise<void> {
  const refs = refsOf(state);
  state.clients.clear();
  state.sockets.closeAll(lobbyCloseCodes.stopping);
  await state.checking;
  if (refs.length > 0) await storeThatLeft(state, refs);
  state.sockets.terminateAll();
}
