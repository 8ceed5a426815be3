/** What is going on at a listener: its open connections and running requests, and how they come to an end. */
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createConnectionLimiter, remoteKey, type ConnectionLimits } from './connection-limiter.ts';

export interface ConnectionTracker {
  /** Counts the connection in, or hangs up if there are too many already. */
  admit(socket: Socket): boolean;
  /** The connection has proved to be that of a known device, or one side of a session, and takes no stranger's place any more. */
  settle(connection: Duplex): void;
  /** From here on the connection, decrypted where it is encrypted, speaks HTTP. */
  follow(socket: Socket): void;
  /** A request has come; if the listener is closing, its answer shall be the last on the connection. */
  begin(response: ServerResponse): void;
  close(graceMs: number): Promise<void>;
}

export interface TrackerLimits extends ConnectionLimits {
  stalledMs: number;
  checkEveryMs: number;
}

/** A server that never listens itself but is handed its connections. */
interface AttachedServer {
  closeIdleConnections(): void;
  close(): void;
}

/** Requests that were sent ahead are kept until their turn: so many may wait on one connection. */
const maxPipelined = 32;
/** When the listener closes, a connection without a running request gets this long to finish sending one. */
const idleGraceMs = 1_000;

export function createConnectionTracker(
  tcp: Server,
  servers: readonly AttachedServer[],
  limits: TrackerLimits,
  isUncapped?: (address: string) => boolean,
): ConnectionTracker {
  const limiter = createConnectionLimiter(limits, isUncapped);
  const [open, httpSockets] = [new Set<Socket>(), new Set<Socket>()];
  const stallWatch = setInterval(
    () => limitStalls(httpSockets, limits.stalledMs),
    limits.checkEveryMs,
  ).unref();
  const pipelined = new WeakMap<Socket, number>();
  let closed: Promise<void> | undefined;

  const track = (set: Set<Socket>, socket: Socket): void => {
    set.add(socket);
    socket.once('close', () => set.delete(socket));
  };
  const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections());
  const closeAfter = (response: ServerResponse): void => {
    // So that the client does not send its next request into a connection that is about to end.
    if (!response.headersSent) response.setHeader('Connection', 'close');
    // Too late to say so: the connection is idle, and can be closed, right after the answer.
    else response.once('close', () => setImmediate(closeIdle));
  };
  const destroyUnless = (mayStay: (socket: Socket) => boolean): void =>
    [...open].filter((socket) => !mayStay(socket)).forEach((socket) => socket.destroy());

  async function drain(graceMs: number): Promise<void> {
    const emptied = new Promise<unknown>((resolve) => void tcp.close(resolve));
    [...httpSockets].flatMap((socket) => activeResponse(socket) ?? []).forEach(closeAfter);
    closeIdle();
    const quiet = setTimeout(() => destroyUnless(isBusy(httpSockets)), Math.min(idleGraceMs, graceMs));
    const last = setTimeout(() => destroyUnless(() => false), graceMs);
    await emptied;
    clearTimeout(quiet);
    clearTimeout(last);
    clearInterval(stallWatch);
    servers.forEach((server) => server.close());
  }

  return {
    admit(socket) {
      const admitted = limiter.admit(socket);
      if (admitted) track(open, socket);
      return admitted;
    },
    settle(connection) {
      limiter.settle(connection);
      httpSockets.delete(connection as Socket);
    },
    follow(socket) {
      // Each answer on it may listen for its end.
      socket.setMaxListeners(maxPipelined * 2);
      track(httpSockets, socket);
    },
    begin(response) {
      limitPipelining(response, pipelined);
      if (closed) closeAfter(response);
    },
    close: (graceMs) => (closed ??= drain(graceMs)),
  };
}

/**
 * The response that is being given on this connection, the oldest if requests were pipelined.
 * Node keeps it there for itself; following each response from outside costs a third of a small request.
 */
export function activeResponse(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Counts the requests that were sent before the answers to earlier ones were taken; too many end the connection. */
function limitPipelining(response: ServerResponse, pipelined: WeakMap<Socket, number>): void {
  const { socket } = response.req;
  if (activeResponse(socket) === response) return;
  const waiting = (pipelined.get(socket) ?? 0) + 1;
  pipelined.set(socket, waiting);
  response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
  if (waiting > maxPipelined) socket.destroy();
}

/** Puts a time limit on connections whose answer is taking long. Giving each request its own would cost every one of them. */
function limitStalls(httpSockets: ReadonlySet<Socket>, stalledMs: number): void {
  for (const socket of httpSockets)
    if (activeResponse(socket) && !socket.timeout) socket.setTimeout(stalledMs);
}

function isBusy(httpSockets: ReadonlySet<Socket>): (socket: Socket) => boolean {
  const busy = new Set([...httpSockets].filter(activeResponse).map(remoteKey));
  return (socket) => busy.has(remoteKey(socket));
}
