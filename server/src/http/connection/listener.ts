/** Serves HTTPS and plain HTTP on one port: detects TLS from the first byte, and limits time, size and number of connections. */
import { once } from 'node:events';
import { createServer as createPlain, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  createChallengeServer,
  isChallenge,
  isPartialHello,
  type TlsChallenges,
} from './challenge-server.ts';
import { ciphers } from './ciphers.ts';
import { answerClientError } from './client-error.ts';
import { createHandshakeScheduler } from './handshake-scheduler.ts';
import { createConnectionTracker, activeResponse, type ConnectionTracker } from './connection-tracker.ts';
import type { LimiterOptions } from './connection-limiter.ts';
import { afterPrevious, createPipeliningLimit, endPipelining } from './pipelining.ts';

export interface ListenerLimits {
  /** How long a connection may be open without a byte. */
  firstByteMs: number;
  handshakeMs: number;
  /** How long a connection may wait for its handshake to begin, when many come at once. */
  handshakeWaitMs: number;
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** How long a response may make no progress because the client does not read or the server does not write. */
  stalledMs: number;
  /** How often the time limits of requests are checked. */
  checkEveryMs: number;
  headerBytes: number;
  /** How many requests may be pipelined on one connection. */
  pipelined: number;
  /** Connections of verified devices and of sessions count towards neither limit. */
  connections: number;
  connectionsPerAddress: number;
}

export interface ListenerOptions extends LimiterOptions {
  host: string;
  port: number;
  tls: { cert: string; key: string };
  onRequest: RequestListener;
  /** Handles WebSocket upgrades; without it, none are accepted. Call `settle` once the connection is authenticated. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, settle: () => void) => void;
  limits?: Partial<ListenerLimits>;
  /** The challenges of an authority that issues certificates, which are answered at this port. */
  challenges?: TlsChallenges | undefined;
  /** Called with errors of the port itself, such as too many open files; the port stays open. */
  onError?: (error: Error) => void;
}

export interface PortListener {
  address: { host: string; port: number };
  /** Applies to new connections. Throws if certificate and key do not match. */
  setCertificate(cert: string, key: string): void;
  /** Accepts no new connections, lets running requests finish, and cuts what is left after the grace period. */
  close(graceMs: number): Promise<void>;
}

const defaultListenerLimits: ListenerLimits = {
  firstByteMs: 10_000,
  handshakeMs: 10_000,
  handshakeWaitMs: 15_000,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  stalledMs: 60_000,
  checkEveryMs: 2_000,
  headerBytes: 16 * 1_024,
  pipelined: 32,
  connections: 10_000,
  connectionsPerAddress: 2_500,
};

/** How many connections the system queues until they are accepted; the system may allow fewer. */
const backlog = 4_096;
/** The first byte of a TLS handshake. No HTTP method begins with it. */
const handshakeByte = 0x16;
/** A device that reconnects within a day (`sessionTimeout` in seconds) can resume its TLS session. */
const tlsOptions = { minVersion: 'TLSv1.2', sessionTimeout: 86_400, ciphers } as const;
/** OpenSSL refuses clients that offer only other protocols, and some clients offer only HTTP/1.0. */
const ALPNProtocols = ['http/1.1', 'http/1.0'];

export async function openListener(options: ListenerOptions): Promise<PortListener> {
  const limits = { ...defaultListenerLimits, ...options.limits };
  const { plain, secure } = createHttpServers(options, limits);
  // The HTTP server handles half-closed connections. Small responses must not wait for more data.
  const tcp = createTcp({ allowHalfOpen: true, noDelay: true });
  const tracker = createConnectionTracker(tcp, [plain, secure], limits, options);
  plain.on('connection', (socket) => tracker.follow(socket));
  secure.on('secureConnection', (socket) => tracker.follow(socket));
  for (const server of [plain, secure]) {
    attachHandlers(server, tracker, limits, options.onRequest);
    const { onUpgrade } = options;
    if (onUpgrade)
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        onUpgrade(request, socket, head, () => tracker.settle(socket)),
      );
  }
  const scheduler = createHandshakeScheduler(limits.handshakeWaitMs);
  const handoff: Handoff = {
    plain: (socket) => void plain.emit('connection', socket),
    secure: (socket) => scheduler.queue(socket, () => secure.emit('connection', socket)),
    challenge: options.challenges && createChallengeServer(options.challenges, limits.handshakeMs),
    isChallengePending: () => options.challenges?.isTlsPending() ?? false,
  };
  tcp.on('connection', (socket) => {
    scheduler.accepted();
    if (tracker.admit(socket)) peek(socket, limits.firstByteMs, handoff);
  });

  tcp.listen({ port: options.port, host: options.host, backlog });
  await once(tcp, 'listening');
  tcp.on('error', (error) => options.onError?.(error));
  const { address: host, port } = tcp.address() as AddressInfo;
  return {
    address: { host, port },
    setCertificate: (cert, key) => secure.setSecureContext({ cert, key, ...tlsOptions }),
    close: tracker.close,
  };
}

function createHttpServers({ tls }: ListenerOptions, limits: ListenerLimits) {
  const http = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    maxHeaderSize: limits.headerBytes,
  };
  const secure = { ...http, ...tlsOptions, ...tls, ALPNProtocols, handshakeTimeout: limits.handshakeMs };
  return { plain: createPlain(http), secure: createSecure(secure) };
}

type HttpServer = ReturnType<typeof createHttpServers>['plain' | 'secure'];

function attachHandlers(
  server: HttpServer,
  tracker: ConnectionTracker,
  { pipelined }: ListenerLimits,
  onRequest: RequestListener,
): void {
  const exceedsLimit = createPipeliningLimit(pipelined);
  server.on('request', (request, response) => {
    if (exceedsLimit(request, response)) return endPipelining(request);
    tracker.begin(response);
    afterPrevious(response, () => onRequest(request, response));
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, activeResponse(socket)));
  // The server never listens itself, but enforces its timeouts only after this event.
  server.emit('listening');
}

/** Passes a connection to the server of its protocol. */
interface Handoff extends Record<'plain' | 'secure', (socket: Socket) => void> {
  challenge: ((socket: Socket) => void) | undefined;
  isChallengePending(): boolean;
}

/** Waits for the first bytes, puts them back, and passes the socket to the server of its protocol. */
function peek(socket: Socket, limitMs: number, handoff: Handoff): void {
  const giveUp = (): void => void socket.destroy();
  // Not the socket's own timeout: once set, it would be restarted with every byte, even after it was disabled.
  const timer = setTimeout(giveUp, limitMs);
  const stop = (): void => clearTimeout(timer);
  let first: Buffer = Buffer.alloc(0);
  const onData = (bytes: Buffer): void => {
    first = first.length === 0 ? bytes : Buffer.concat([first, bytes]);
    const mayBeChallenge = first[0] === handshakeByte && handoff.isChallengePending();
    if (mayBeChallenge && isPartialHello(first)) return;
    stop();
    socket.off('data', onData).off('end', giveUp).off('close', stop);
    socket.pause();
    socket.unshift(first);
    passOn(socket, first, mayBeChallenge, handoff);
  };
  socket.once('end', giveUp).once('close', stop).on('data', onData);
}

function passOn(socket: Socket, first: Buffer, mayBeChallenge: boolean, handoff: Handoff): void {
  if (first[0] !== handshakeByte) {
    handoff.plain(socket);
    socket.resume();
    return;
  }
  socket.allowHalfOpen = false;
  // TLS itself reads the bytes that were put back; a resumed socket would discard them.
  if (mayBeChallenge && handoff.challenge && isChallenge(first)) handoff.challenge(socket);
  else handoff.secure(socket);
}
