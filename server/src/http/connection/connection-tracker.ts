/** Tracks the open connections and running requests of a listener, and closes them in order. */
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  createConnectionLimiter,
  remoteKey,
  type ConnectionLimiter,
  type ConnectionLimits,
  type LimiterOptions,
} from './connection-limiter.ts';

export interface ConnectionTracker {
  /** Counts the connection, or closes it if there are too many. */
  admit(socket: Socket): boolean;
  /** The connection belongs to a verified device or a session: it no longer counts as unauthenticated. */
  settle(connection: Duplex): void;
  /** Call when HTTP begins on the connection; if it is encrypted, with the decrypted socket. */
  follow(socket: Socket): void;
  /** Call for each request. If the listener is closing, its response is the last on the connection. */
  begin(response: ServerResponse): void;
  close(graceMs: number): Promise<void>;
}

export interface TrackerLimits extends ConnectionLimits {
  /** How many requests may be pipelined on one connection. */
  pipelined: number;
  stalledMs: number;
  checkEveryMs: number;
}

/** A server that does not listen itself and is given its connections. */
interface AttachedServer {
  closeIdleConnections(): void;
  close(): void;
}

interface State {
  tcp: Server;
  servers: readonly AttachedServer[];
  limiter: ConnectionLimiter;
  open: Set<Socket>;
  httpSockets: Set<Socket>;
  /** WebSockets of devices and sessions: their owners close them. */
  settled: Set<Socket>;
  pipelined: number;
  stallTimer: NodeJS.Timeout;
  /** Set once the listener is closing. */
  closed: Promise<void> | undefined;
}

/** When the listener closes, a connection without a running request has this long to finish sending one. */
const idleGraceMs = 1_000;

export function createConnectionTracker(
  tcp: Server,
  servers: readonly AttachedServer[],
  limits: TrackerLimits,
  options?: LimiterOptions,
): ConnectionTracker {
  const httpSockets = new Set<Socket>();
  const state: State = {
    tcp,
    servers,
    limiter: createConnectionLimiter(limits, options),
    open: new Set(),
    httpSockets,
    settled: new Set(),
    pipelined: limits.pipelined,
    stallTimer: setInterval(() => limitStalls(httpSockets, limits.stalledMs), limits.checkEveryMs).unref(),
    closed: undefined,
  };
  return {
    admit: (socket) => admit(state, socket),
    settle: (connection) => settle(state, connection),
    follow: (socket) => follow(state, socket),
    begin: (response) => begin(state, response),
    close: (graceMs) => (state.closed ??= drain(state, graceMs)),
  };
}

function admit(state: State, socket: Socket): boolean {
  const admitted = state.limiter.admit(socket);
  if (admitted) addUntilClosed(state.open, socket);
  return admitted;
}

function settle(state: State, connection: Duplex): void {
  state.limiter.settle(connection);
  state.httpSockets.delete(connection as Socket);
  addUntilClosed(state.settled, connection as Socket);
}

function follow(state: State, socket: Socket): void {
  // Each response on the connection may listen for its end.
  socket.setMaxListeners(state.pipelined * 2);
  addUntilClosed(state.httpSockets, socket);
}

function begin(state: State, response: ServerResponse): void {
  if (state.closed) closeAfter(state, response);
}

function addUntilClosed(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

async function drain(state: State, graceMs: number): Promise<void> {
  const { tcp, httpSockets } = state;
  const emptied = new Promise<unknown>((resolve) => void tcp.close(resolve));
  for (const response of [...httpSockets].flatMap((socket) => activeResponse(socket) ?? []))
    closeAfter(state, response);
  closeIdle(state);
  const idleTimer = setTimeout(() => destroyUnless(state, isBusy(state)), Math.min(idleGraceMs, graceMs));
  const graceTimer = setTimeout(() => destroyUnless(state, () => false), graceMs);
  await emptied;
  clearTimeout(idleTimer);
  clearTimeout(graceTimer);
  clearInterval(state.stallTimer);
  state.servers.forEach((server) => server.close());
}

function closeAfter(state: State, response: ServerResponse): void {
  // The header keeps the client from sending its next request into a connection that is about to end.
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // Too late for the header: the connection is idle, and can be closed, right after the response.
  else response.once('close', () => setImmediate(closeIdle, state));
}

const closeIdle = ({ servers }: State): void => servers.forEach((server) => server.closeIdleConnections());

const destroyUnless = ({ open }: State, mayStay: (socket: Socket) => boolean): void =>
  [...open].filter((socket) => !mayStay(socket)).forEach((socket) => socket.destroy());

/**
 * Returns the running response of this connection, the oldest if requests were pipelined. This reads an internal field of
 * Node, because to follow each response from outside costs a third of a small request.
 */
export function activeResponse(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Sets a timeout on connections whose response takes long. A timer for each request would slow all of them down. */
function limitStalls(httpSockets: ReadonlySet<Socket>, stalledMs: number): void {
  for (const socket of httpSockets)
    if (activeResponse(socket) && !socket.timeout) socket.setTimeout(stalledMs);
}

function isBusy({ httpSockets, settled }: State): (socket: Socket) => boolean {
  const busy = new Set([...[...httpSockets].filter(activeResponse), ...settled].map(remoteKey));
  return (socket) => busy.has(remoteKey(socket));
}
