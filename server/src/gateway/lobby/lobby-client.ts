/** The WebSocket of one client in the lobby: receives its messages, one at a time and limited in rate, and sends to it. */
import { lobbyCloseCodes } from '@drawbridge/contract/close-codes';
import { lobbyUp, type LobbyDown, type LobbyUp } from '@drawbridge/contract/session/lobby';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import { closeSocket } from '@drawbridge/relay/socket-server';
import type { RawData, WebSocket } from 'ws';
import { createRateLimiter, type RateLimiter } from '../../edges/rate-limiter.ts';
import type { ClientPreview } from './lobby-subjects.ts';

/** A client that has joined. */
export interface LobbyClient {
  socket: WebSocket;
  accountId: number;
  /** The invitation. */
  id: number;
  key: string;
  /** Names this connection in the store. */
  holder: string;
  preview: ClientPreview | undefined;
  /** To the relays that it reached. */
  roundTrips: readonly RoundTrip[];
}

export const sendToClient = (socket: WebSocket, message: LobbyDown): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
};

/** Tells the client why the connection ends, and closes it. */
export function dismissClient(
  socket: WebSocket,
  code: Extract<LobbyDown, { kind: 'ended' }>['code'],
  message: string,
): undefined {
  sendToClient(socket, { kind: 'ended', code, message });
  closeSocket(socket, lobbyCloseCodes.dismissed, code);
}

/** How long a client may take to send the code of its invitation. */
const joinTimeoutMs = 10_000;
/** How often a ping is sent; a client that has not answered by the next one is gone. */
const pingEveryMs = 10_000;
/** More bytes than the first message of any honest client has. */
const maxJoinBytes = 4 * 1_024;

export interface LobbyMessageHandler {
  /** The kinds of messages that the client may send now. */
  expectedKinds(): readonly LobbyUp['kind'][];
  handle(message: LobbyUp): Promise<void>;
  /** Called for a message that no honest client sends. */
  onInvalid(): void;
}

interface State {
  readonly socket: WebSocket;
  readonly handler: LobbyMessageHandler;
  readonly rate: RateLimiter;
  isAlive: boolean;
  isFirst: boolean;
  /** The message that is handled last. */
  tail: Promise<void>;
}

/** Receives messages until the WebSocket closes. Each is read after the one before has been handled. */
export function receiveLobbyMessages(socket: WebSocket, handler: LobbyMessageHandler): void {
  const state: State = {
    socket,
    handler,
    rate: createRateLimiter({ perSecond: 2, burst: 20 }),
    isAlive: true,
    isFirst: true,
    tail: Promise.resolve(),
  };
  const joinTimer = setTimeout(() => closeSocket(socket, lobbyCloseCodes.too_slow), joinTimeoutMs);
  const pingTimer = setInterval(() => ping(state), pingEveryMs);
  socket.on('pong', () => void (state.isAlive = true));
  socket.on('ping', (data) => onPing(state, data));
  socket.on('message', (data: RawData, isBinary: boolean) => {
    clearTimeout(joinTimer);
    onMessage(state, data as Buffer, isBinary);
  });
  socket.once('close', () => {
    clearTimeout(joinTimer);
    clearInterval(pingTimer);
  });
}

function ping(state: State): void {
  if (!state.isAlive) return state.socket.terminate();
  state.isAlive = false;
  state.socket.ping();
}

function onPing({ socket, rate }: State, data: Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (!rate.allow('')) return closeSocket(socket, lobbyCloseCodes.too_much);
  // One pong answers many pings, and pongs must not pile up for a client that does not read.
  if (socket.bufferedAmount === 0) socket.pong(data);
}

function onMessage(state: State, bytes: Buffer, isBinary: boolean): void {
  const { socket, rate } = state;
  state.isAlive = true;
  if (socket.readyState !== socket.OPEN) return;
  if (!rate.allow('')) return closeSocket(socket, lobbyCloseCodes.too_much);
  if (isBinary || (state.isFirst && bytes.length > maxJoinBytes)) return refuse(state, 'not_understood');
  state.isFirst = false;
  state.tail = state.tail
    .then(() => read(state, bytes))
    .catch(() => closeSocket(socket, lobbyCloseCodes.failed));
}

/** Which kinds are expected depends on the messages before this one. */
async function read(state: State, bytes: Buffer): Promise<void> {
  const { socket, handler } = state;
  if (socket.readyState !== socket.OPEN) return;
  const message = readMessage(lobbyUp, bytes.toString(), handler.expectedKinds());
  if (!message) return refuse(state, 'not_understood');
  if (message === 'unexpected') return refuse(state, 'unexpected');
  await handler.handle(message);
}

function refuse({ socket, handler }: State, why: 'not_understood' | 'unexpected'): void {
  handler.onInvalid();
  closeSocket(socket, lobbyCloseCodes[why]);
}
