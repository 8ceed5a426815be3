/** What is going on at a listener: its open connections and running requests, and how they come to an end. */
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createConnectionLimiter, remoteKey, type ConnectionLimits } from './connection-limiter.ts';

export interface Traffic {
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

export interface TrafficLimits extends ConnectionLimits {
  stalledMs: number;
  checkEveryMs: number;
}

/** A server that never listens itself but is handed its connections. */
interface Handed {
  closeIdleConnections(): void;
  close(): void;
}

/** Requests that were sent ahead are kept until their turn: so many may wait on one connection. */
const mostAhead = 32;
/** When the listener closes, a connection without a running request gets this long to finish sending one. */
const quietMs = 1_000;

export function createTraffic(
  tcp: Server,
  servers: readonly Handed[],
  limits: TrafficLimits,
  isUncapped?: (address: string) => boolean,
): Traffic {
  const limiter = createConnectionLimiter(limits, isUncapped);
  const [open, speaking] = [new Set<Socket>(), new Set<Socket>()];
  const stallWatch = setInterval(() => limitStalls(speaking, limits.stalledMs), limits.checkEveryMs).unref();
  const ahead = new WeakMap<Socket, number>();
  let closed: Promise<void> | undefined;

  const keepIn = (set: Set<Socket>, socket: Socket): void => {
    set.add(socket);
    socket.once('close', () => set.delete(socket));
  };
  const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections());
  const makeLast = (response: ServerResponse): void => {
    // So that the client does not send its next request into a connection that is about to end.
    if (!response.headersSent) response.setHeader('Connection', 'close');
    // Too late to say so: the connection is idle, and can be closed, right after the answer.
    else response.once('close', () => setImmediate(closeIdle));
  };
  const hangUp = (mayStay: (socket: Socket) => boolean): void =>
    [...open].filter((socket) => !mayStay(socket)).forEach((socket) => socket.destroy());

  async function drain(graceMs: number): Promise<void> {
    const emptied = new Promise<unknown>((resolve) => void tcp.close(resolve));
    [...speaking].flatMap((socket) => responseOn(socket) ?? []).forEach(makeLast);
    closeIdle();
    const quiet = setTimeout(() => hangUp(isBusy(speaking)), Math.min(quietMs, graceMs));
    const last = setTimeout(() => hangUp(() => false), graceMs);
    await emptied;
    clearTimeout(quiet);
    clearTimeout(last);
    clearInterval(stallWatch);
    servers.forEach((server) => server.close());
  }

  return {
    admit(socket) {
      const admitted = limiter.admit(socket);
      if (admitted) keepIn(open, socket);
      return admitted;
    },
    settle(connection) {
      limiter.settle(connection);
      speaking.delete(connection as Socket);
    },
    follow(socket) {
      // Each answer on it may listen for its end.
      socket.setMaxListeners(mostAhead * 2);
      keepIn(speaking, socket);
    },
    begin(response) {
      limitAhead(response, ahead);
      if (closed) makeLast(response);
    },
    close: (graceMs) => (closed ??= drain(graceMs)),
  };
}

/**
 * The response that is being given on this connection, the oldest if requests were pipelined.
 * Node keeps it there for itself; following each response from outside costs a third of a small request.
 */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Counts the requests that were sent before the answers to earlier ones were taken; too many end the connection. */
function limitAhead(response: ServerResponse, ahead: WeakMap<Socket, number>): void {
  const { socket } = response.req;
  if (responseOn(socket) === response) return;
  const waiting = (ahead.get(socket) ?? 0) + 1;
  ahead.set(socket, waiting);
  response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
  if (waiting > mostAhead) socket.destroy();
}

/** Puts a time limit on connections whose answer is taking long. Giving each request its own would cost every one of them. */
function limitStalls(speaking: ReadonlySet<Socket>, stalledMs: number): void {
  for (const socket of speaking) if (responseOn(socket) && !socket.timeout) socket.setTimeout(stalledMs);
}

function isBusy(speaking: ReadonlySet<Socket>): (socket: Socket) => boolean {
  const busy = new Set([...speaking].filter(responseOn).map(remoteKey));
  return (socket) => busy.has(remoteKey(socket));
}
