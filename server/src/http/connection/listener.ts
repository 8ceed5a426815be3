/** One port for HTTPS and plain HTTP: the first byte decides, and slow, silent or too many clients are cut off. */
import { once } from 'node:events';
import {
  createServer as createPlain,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ciphers } from './ciphers.ts';
import { answerClientError } from './client-error.ts';
import { createHandshakeScheduler } from './handshake-scheduler.ts';
import { createConnectionTracker, activeResponse, type ConnectionTracker } from './connection-tracker.ts';

export interface ListenerLimits {
  /** How long a connection may be open without a byte. */
  firstByteMs: number;
  handshakeMs: number;
  /** How long a connection may wait for its handshake to begin, when many come at once. */
  handshakeWaitMs: number;
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** How long nothing may move while an answer is due: the client does not read, or the service does not write. */
  stalledMs: number;
  /** How often the time limits of requests are looked at. */
  checkEveryMs: number;
  headerBytes: number;
  /** Requests that may come on one connection while the answer to an earlier one is due. */
  pipelined: number;
  /** Those of devices that proved who they are, and of sessions, count in neither. */
  connections: number;
  connectionsPerAddress: number;
}

export interface ListenerOptions {
  host: string;
  port: number;
  tls: { cert: string; key: string };
  onRequest: RequestListener;
  /** A connection that wants to become a socket; without this, none may. `settle`: it is known now. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer, settle: () => void) => void;
  limits?: Partial<ListenerLimits>;
  /** Addresses that carry the connections of many, such as a proxy: they are not held to the share of one. */
  isUncapped?: (address: string) => boolean;
  /** Troubles of the port itself (too many open files); it goes on listening. */
  onError?: (error: Error) => void;
}

export interface PortListener {
  address: { host: string; port: number };
  /** For connections made from now on. Throws if the two do not fit. */
  setCertificate(cert: string, key: string): void;
  /** Takes no new connections, lets running requests finish, and cuts off what is left after the grace. */
  close(graceMs: number): Promise<void>;
}

export const defaultListenerLimits: ListenerLimits = {
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

/** How many connections the system holds until they are accepted; it may allow fewer. */
const backlog = 4_096;
/** The first byte of a TLS handshake; no HTTP method begins with it. */
const handshakeByte = 0x16;
/** A device that comes back within a day, its session timeout in seconds, need not shake hands in full. */
const tlsOptions = { minVersion: 'TLSv1.2', sessionTimeout: 86_400, ciphers } as const;
/** Whoever offers protocols and finds none of them here is refused, and there are clients that offer 1.0 alone. */
const ALPNProtocols = ['http/1.1', 'http/1.0'];

export async function openListener(options: ListenerOptions): Promise<PortListener> {
  const limits = { ...defaultListenerLimits, ...options.limits };
  const { plain, secure } = createHttpServers(options, limits);
  // A half-closed connection is HTTP's to judge; small answers must not wait for more.
  const tcp = createTcp({ allowHalfOpen: true, noDelay: true });
  const tracker = createConnectionTracker(tcp, [plain, secure], limits, options.isUncapped);
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
  const behind = new WeakMap<ServerResponse, number>();
  /** All requests that came in one piece are read before anybody else is heard: they must not be many. */
  const exceedsPipelining = ({ socket }: IncomingMessage, response: ServerResponse): boolean => {
    const first = activeResponse(socket);
    if (!first || first === response) return false;
    const count = (behind.get(first) ?? 0) + 1;
    behind.set(first, count);
    return count > pipelined;
  };
  server.on('request', (request, response) => {
    if (exceedsPipelining(request, response)) return void request.socket.destroy();
    tracker.begin(response);
    afterPrevious(response, () => onRequest(request, response));
  });
  server.on('clientError', (error, socket) => answerClientError(error, socket, activeResponse(socket)));
  // It never listens itself, yet starts to watch its time limits only when told that it does.
  server.emit('listening');
}

/**
 * Requests that were sent ahead wait until the answers before theirs have left: a connection never has more than one
 * answer in memory, and others have their turn between two of its requests.
 */
function afterPrevious(response: ServerResponse, work: () => void): void {
  if (response.socket) return work();
  response.once('socket', () => void setImmediate(() => response.destroyed || work()));
}

/** How a connection gets to the server it calls for. */
type Handoff = Record<'plain' | 'secure', (socket: Socket) => void>;

/** Waits for the first bytes, puts them back, and hands the socket to the server they call for. */
function peek(socket: Socket, limitMs: number, handoff: Handoff): void {
  const giveUp = (): void => void socket.destroy();
  // Not by the socket's own timeout: once set, it is wound up anew with every byte, also when it was put off for good.
  const timer = setTimeout(giveUp, limitMs);
  const stop = (): void => clearTimeout(timer);
  socket.once('end', giveUp).once('close', stop);
  socket.once('data', (first: Buffer) => {
    stop();
    socket.off('end', giveUp).off('close', stop);
    socket.pause();
    socket.unshift(first);
    if (first[0] !== handshakeByte) {
      handoff.plain(socket);
      socket.resume();
      return;
    }
    socket.allowHalfOpen = false;
    // TLS reads what was put back by itself; set flowing, the socket would throw it away.
    handoff.secure(socket);
  });
}
