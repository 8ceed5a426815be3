/** The socket on which this page waits for operators. It reconnects with the same key until the visit ends. */
import type { Brand } from '@drawbridge/contract/brand';
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import {
  lobbyDown,
  lobbyDownByState,
  lobbyPath,
  lobbyProtocol,
  type LobbyDown,
  type LobbyUp,
} from '@drawbridge/contract/session/lobby';
import type { RelayOffer, RoundTrip } from '@drawbridge/contract/session/round-trips';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import type { Clock } from '@drawbridge/session/ports';
import type { SessionRequest } from './accept-session.ts';

/** Why the visit ended: the server's reasons, or `replaced` when another page of this browser took over. */
export type EndReason = Exclude<Extract<LobbyDown, { kind: 'ended' }>['code'], 'busy'> | 'replaced';

export interface LobbyListener {
  welcome(owner: string, serverKey: string, brand: Brand | undefined): void;
  /** An operator wants to connect. */
  session(request: SessionRequest): void;
  /** The connection was lost and is retried. */
  lost(): void;
  /** Too many codes were tried from the same network; the connection is retried later. */
  busy(): void;
  /** Called once; no other call follows. */
  ended(reason: EndReason): void;
}

export interface LobbyConnection {
  preview(picture: Omit<Extract<LobbyUp, { kind: 'preview' }>, 'kind'>): void;
  /** Replaces the socket, which may be dead without having been closed. */
  renew(): void;
  /** Ends the visit. Resolves when the server confirms it or a timeout passes. */
  leave(): Promise<void>;
}

export interface LobbyOptions {
  code: string;
  key: string;
  os: Extract<LobbyUp, { kind: 'join' }>['os'];
  /** The origin of the page. */
  origin: string;
  clock: Pick<Clock, 'after'>;
  measure(relays: readonly RelayOffer[]): Promise<RoundTrip[]>;
}

const [minRetryDelayMs, maxRetryDelayMs] = [500, 5_000];
/** The server allows each network one code every ten seconds. */
const busyRetryDelayMs = 15_000;
const leaveTimeoutMs = 2_000;

interface LobbyState {
  options: LobbyOptions;
  listener: LobbyListener;
  socket: WebSocket | undefined;
  retryDelayMs: number;
  /** The page has left, or the server has ended the visit. */
  isOver: boolean;
  isBusy: boolean;
  wasWelcome: boolean;
  /** To the relays of the server, once they are measured. */
  roundTrips: RoundTrip[] | undefined;
}

export function openLobbyConnection(options: LobbyOptions, listener: LobbyListener): LobbyConnection {
  const state: LobbyState = {
    options,
    listener,
    socket: undefined,
    retryDelayMs: minRetryDelayMs,
    isOver: false,
    isBusy: false,
    wasWelcome: false,
    roundTrips: undefined,
  };
  connect(state);
  return {
    preview: (picture) => send(state, { kind: 'preview', ...picture }),
    renew: () => renew(state),
    leave: () => leave(state),
  };
}

function connect(state: LobbyState): void {
  const { code, key, os, origin } = state.options;
  const socket = new WebSocket(new URL(lobbyPath, origin.replace(/^http/, 'ws')), lobbyProtocol);
  state.socket = socket;
  socket.addEventListener('open', () =>
    send(state, { kind: 'join', code, key, os, by: 'browser', round_trips: state.roundTrips }),
  );
  let expected: readonly LobbyDown['kind'][] = lobbyDownByState.unknown;
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = state.socket === socket ? readMessage(lobbyDown, String(data), expected) : undefined;
    if (!message || message === 'unexpected') return;
    expected = lobbyDownByState.joined;
    (handlers[message.kind] as (state: LobbyState, message: LobbyDown) => void)(state, message);
  });
  socket.addEventListener('close', ({ code: closeCode }) => {
    if (state.isOver || state.socket !== socket) return;
    if (closeCode === lobbyCloseCodes.replaced.code) finish(state, 'replaced');
    else retryLater(state);
  });
}

const handlers: {
  [Kind in LobbyDown['kind']]: (state: LobbyState, message: Extract<LobbyDown, { kind: Kind }>) => void;
} = {
  welcome(state, { owner, server_key: serverKey, brand, relays = [] }) {
    state.wasWelcome = true;
    state.retryDelayMs = minRetryDelayMs;
    state.listener.welcome(owner, serverKey, brand);
    if (relays.length > 0) void reportRoundTrips(state, relays);
  },
  session: ({ listener }, { grant, ticket, relay }) => listener.session({ grant, ticket, relay }),
  // A code that was valid before was closed while this page was not connected.
  ended(state, { code: reason }) {
    if (reason === 'busy') state.isBusy = true;
    else finish(state, reason === 'unknown' && state.wasWelcome ? 'closed' : reason);
  },
};

async function reportRoundTrips(state: LobbyState, relays: readonly RelayOffer[]): Promise<void> {
  const { socket } = state;
  state.roundTrips = await state.options.measure(relays);
  // Another socket has said so in its first message, or will after its welcome.
  if (state.socket === socket) send(state, { kind: 'round_trips', round_trips: state.roundTrips });
}

function finish(state: LobbyState, reason: EndReason): void {
  if (state.isOver) return;
  state.isOver = true;
  state.socket?.close();
  state.listener.ended(reason);
}

function retryLater(state: LobbyState): void {
  const { options, listener, isBusy, retryDelayMs } = state;
  if (isBusy) listener.busy();
  else listener.lost();
  options.clock.after(isBusy ? busyRetryDelayMs : retryDelayMs, () => state.isOver || connect(state));
  state.retryDelayMs = Math.min(2 * retryDelayMs, maxRetryDelayMs);
  state.isBusy = false;
}

type OutgoingMessage = Exclude<LobbyUp, { kind: 'leave' }> | { kind: 'leave' };

function send({ socket }: LobbyState, message: OutgoingMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function renew(state: LobbyState): void {
  if (state.isOver || state.socket?.readyState !== WebSocket.OPEN) return;
  state.socket.close();
  connect(state);
}

async function leave(state: LobbyState): Promise<void> {
  const { socket, options } = state;
  state.isOver = true;
  if (socket?.readyState !== WebSocket.OPEN) return socket?.close();
  send(state, { kind: 'leave' });
  await new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
    options.clock.after(leaveTimeoutMs, resolve);
  });
  socket.close();
}
