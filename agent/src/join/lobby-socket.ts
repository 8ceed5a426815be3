/** One connection to the lobby of the server, in which the program waits for operators. */
import type { TLSSocket } from 'node:tls';
import { leaveCodes } from '@drawbridge/contract/close-codes';
import {
  lobbyDown,
  lobbyDownByState,
  lobbyPath,
  lobbyProtocol,
  type LobbyDown,
  type LobbyUp,
} from '@drawbridge/contract/session/lobby';
import type { RoundTrip } from '@drawbridge/contract/session/round-trips';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import { WebSocket, type ClientOptions } from 'ws';
import { startSilenceTimer, type SilenceTimer } from '../uplink/silence-timer.ts';
import { trustedCertificate } from '../uplink/pin.ts';

type Of<Kind extends LobbyDown['kind']> = Extract<LobbyDown, { kind: Kind }>;

export interface LobbySocketOptions {
  server: string;
  join: Omit<Extract<LobbyUp, { kind: 'join' }>, 'kind'>;
  pin: string | undefined;
  /** How to connect if there is no direct route, for example through a proxy. */
  connect?: ClientOptions;
  /** `certificate`: SHA-256 of the server's certificate, base64url. */
  onWelcome(welcome: Of<'welcome'>, certificate: string): void;
  onSession(session: Of<'session'>): void;
}

export interface LobbySocket {
  preview(picture: Omit<Extract<LobbyUp, { kind: 'preview' }>, 'kind'>): void;
  /** Reports what was measured. */
  roundTrips(measured: RoundTrip[]): void;
  /** Announces the end and closes the connection. */
  leave(): void;
  over: Promise<LobbySocketEnd>;
}

export interface LobbySocketEnd {
  /** Set if the server said that the invitation has ended. */
  ended?: Of<'ended'>;
  welcomed: boolean;
  reason: string;
}

const connectTimeoutMs = 20_000;
const closeTimeoutMs = 3_000;
/** The server sends a ping every ten seconds. */
const silenceTimeoutMs = 30_000;

interface State {
  socket: WebSocket;
  options: LobbySocketOptions;
  end: LobbySocketEnd;
  /** The certificate of the server, once it is trusted. */
  certificate: string | undefined;
  hasFailed: boolean;
  silenceTimer: SilenceTimer;
}

export function openLobbySocket(options: LobbySocketOptions): LobbySocket {
  const socket = new WebSocket(new URL(lobbyPath, options.server.replace(/^http/, 'ws')), lobbyProtocol, {
    perMessageDeflate: false,
    maxPayload: 64 * 1_024,
    handshakeTimeout: connectTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // verifyCertificate checks it before anything is sent
    ...options.connect,
  } as ClientOptions);
  const state: State = {
    socket,
    options,
    end: { welcomed: false, reason: 'the connection ended' },
    certificate: undefined,
    hasFailed: false,
    silenceTimer: startSilenceTimer(silenceTimeoutMs, () => fail(state, 'the server stopped responding')),
  };
  return {
    preview: (picture) => send(socket, { kind: 'preview', ...picture }),
    roundTrips: (measured) => send(socket, { kind: 'round_trips', round_trips: measured }),
    leave() {
      if (socket.readyState !== WebSocket.OPEN) return socket.terminate();
      send(socket, { kind: 'leave' });
      socket.close(leaveCodes.left);
    },
    over: listen(state),
  };
}

/** Handles the events of the socket; resolves when it is closed. */
function listen(state: State): Promise<LobbySocketEnd> {
  const { socket, options, end, silenceTimer } = state;
  const over = Promise.withResolvers<LobbySocketEnd>();
  socket.on('upgrade', (response) => verifyCertificate(state, response.socket as TLSSocket));
  socket.on('open', () => {
    if (state.certificate !== undefined) send(socket, { kind: 'join', ...options.join });
  });
  socket.on('ping', () => silenceTimer.restart());
  socket.on('message', (data, isBinary) =>
    receive(state, isBinary ? undefined : (data as Buffer).toString()),
  );
  socket.on('error', (error) => void (state.hasFailed || (end.reason = error.message)));
  socket.on('close', () => {
    silenceTimer.stop();
    over.resolve(end);
  });
  return over.promise;
}

function send(socket: WebSocket, message: object): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function fail(state: State, reason: string): void {
  if (!state.hasFailed) state.end.reason = reason;
  state.hasFailed = true;
  state.socket.terminate();
}

function verifyCertificate(state: State, socket: TLSSocket): void {
  state.certificate = trustedCertificate(socket, state.options.pin);
  if (state.certificate === undefined) fail(state, 'the certificate of the server is not trusted');
}

function receive(state: State, text: string | undefined): void {
  state.silenceTimer.restart();
  const expected = state.end.welcomed ? lobbyDownByState.joined : lobbyDownByState.unknown;
  const message = text === undefined ? undefined : readMessage(lobbyDown, text, expected);
  if (!message || message === 'unexpected') fail(state, 'the server sent an invalid message');
  else (messageHandlers[message.kind] as MessageHandler<LobbyDown>)(state, message);
}

type MessageHandler<Message> = (state: State, message: Message) => void;

const messageHandlers: { [Kind in LobbyDown['kind']]: MessageHandler<Of<Kind>> } = {
  welcome({ end, options, certificate }, message) {
    end.welcomed = true;
    options.onWelcome(message, certificate!);
  },
  session: ({ options }, message) => options.onSession(message),
  ended: ({ end }, message) => void (end.ended = message),
};
