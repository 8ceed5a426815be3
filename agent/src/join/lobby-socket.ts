/** One line to the lobby of the server, on which the program waits for operators. */
import type { TLSSocket } from 'node:tls';
import {
  lobbyDown,
  lobbyDownByState,
  lobbyPath,
  lobbyProtocol,
  type LobbyDown,
  type LobbyUp,
} from '@drawbridge/contract/session/lobby';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import { WebSocket, type ClientOptions } from 'ws';
import { trustedCertificate, type Pin } from './pin.ts';

type Of<Kind extends LobbyDown['kind']> = Extract<LobbyDown, { kind: Kind }>;

export interface LobbySocketOptions {
  server: string;
  join: Omit<Extract<LobbyUp, { kind: 'join' }>, 'kind'>;
  pin: Pin | undefined;
  /** How to connect where there is no straight way, such as through a proxy. */
  connect?: ClientOptions;
  /** `certificate`: SHA-256 of the one the server shows, base64url. */
  onWelcome(welcome: Of<'welcome'>, certificate: string): void;
  onSession(session: Of<'session'>): void;
}

export interface LobbySocket {
  preview(picture: Omit<Extract<LobbyUp, { kind: 'preview' }>, 'kind'>): void;
  /** Says goodbye and hangs up. */
  leave(): void;
  over: Promise<LobbySocketEnd>;
}

export interface LobbySocketEnd {
  /** The server has said that it is over for good. */
  ended?: Of<'ended'>;
  welcomed: boolean;
  reason: string;
}

const connectTimeoutMs = 20_000;
const closeTimeoutMs = 3_000;
/** The server asks for a sign of life every ten seconds. */
const silenceTimeoutMs = 30_000;

export function openLobbySocket(options: LobbySocketOptions): LobbySocket {
  const socket = new WebSocket(new URL(lobbyPath, options.server.replace(/^http/, 'ws')), lobbyProtocol, {
    perMessageDeflate: false,
    maxPayload: 64 * 1_024,
    handshakeTimeout: connectTimeoutMs,
    closeTimeout: closeTimeoutMs,
    rejectUnauthorized: false, // the certificate is judged by us, before anything is said
    ...options.connect,
  } as ClientOptions);
  const end: LobbySocketEnd = { welcomed: false, reason: 'the connection ended' };
  const over = Promise.withResolvers<LobbySocketEnd>();
  let certificate: string | undefined;
  let silenceTimer: NodeJS.Timeout;
  const restartSilenceTimer = (): void => {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => fail('the server stopped responding'), silenceTimeoutMs);
  };
  let hasFailed = false;
  const fail = (reason: string): void => {
    if (!hasFailed) end.reason = reason;
    hasFailed = true;
    socket.terminate();
  };
  const send = (message: object): void => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const handlers: { [Kind in LobbyDown['kind']]: (message: Of<Kind>) => void } = {
    welcome(message) {
      end.welcomed = true;
      options.onWelcome(message, certificate!);
    },
    session: options.onSession,
    ended: (message) => void (end.ended = message),
  };

  const expected = (): readonly LobbyDown['kind'][] =>
    end.welcomed ? lobbyDownByState.joined : lobbyDownByState.unknown;

  restartSilenceTimer();
  socket.on('upgrade', (response) => {
    certificate = trustedCertificate(response.socket as TLSSocket, options.pin);
    if (certificate === undefined) fail('the certificate of the server is not trusted');
  });
  socket.on('open', () => {
    if (certificate !== undefined) send({ kind: 'join', ...options.join });
  });
  socket.on('ping', restartSilenceTimer);
  socket.on('message', (data, binary) => {
    restartSilenceTimer();
    const message = binary ? undefined : readMessage(lobbyDown, (data as Buffer).toString(), expected());
    if (!message || message === 'unexpected') fail('the server sent an invalid message');
    else (handlers[message.kind] as (message: LobbyDown) => void)(message);
  });
  socket.on('error', (error) => void (hasFailed || (end.reason = error.message)));
  socket.on('close', () => {
    clearTimeout(silenceTimer);
    over.resolve(end);
  });
  return {
    preview: (picture) => send({ kind: 'preview', ...picture }),
    leave() {
      if (socket.readyState !== WebSocket.OPEN) return socket.terminate();
      send({ kind: 'leave' });
      socket.close(1_000);
    },
    over: over.promise,
  };
}
