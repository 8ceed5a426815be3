/** What is going on at a listener: its open connections and running requests, and how they come to an end. */
import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Traffic {
  /** Counts the connection in, or hangs up if its address has too many already. */
  admit(socket: Socket): boolean;
  begin(response: ServerResponse): void;
  /** The response that is being given on this connection, the oldest if requests were pipelined. */
  runningOn(socket: Duplex): ServerResponse | undefined;
  close(graceMs: number): Promise<void>;
}

/** A server that never listens itself but is handed its connections. */
interface Handed {
  closeIdleConnections(): void;
  close(): void;
}

/** When the listener closes, a connection without a running request gets this long to finish sending one. */
const quietMs = 1_000;

export function createTraffic(
  tcp: Server,
  servers: readonly Handed[],
  connectionsPerAddress: number,
): Traffic {
  const admit = createDoor(connectionsPerAddress);
  const open = new Set<Socket>();
  const running = new Set<ServerResponse>();
  let closed: Promise<void> | undefined;

  const closeIdle = (): void => servers.forEach((server) => server.closeIdleConnections());
  const hangUp = (mayStay: (socket: Socket) => boolean): void =>
    [...open].filter((socket) => !mayStay(socket)).forEach((socket) => socket.destroy());

  async function drain(graceMs: number): Promise<void> {
    const emptied = new Promise<unknown>((resolve) => void tcp.close(resolve));
    running.forEach(announceEnd);
    closeIdle();
    const quiet = setTimeout(() => hangUp(isBusy(running)), Math.min(quietMs, graceMs));
    const last = setTimeout(() => hangUp(() => false), graceMs);
    await emptied;
    clearTimeout(quiet);
    clearTimeout(last);
    servers.forEach((server) => server.close());
  }

  return {
    admit(socket) {
      if (!admit(socket)) return false;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return true;
    },
    begin(response) {
      running.add(response);
      response.once('close', () => {
        running.delete(response);
        // The connection becomes idle only after this event.
        if (closed) setImmediate(closeIdle);
      });
      if (closed) announceEnd(response);
    },
    runningOn: (socket) => running.values().find((response) => response.req.socket === socket),
    close: (graceMs) => (closed ??= drain(graceMs)),
  };
}

/** Keeps count per address, so that nobody takes all connections for himself. */
function createDoor(connectionsPerAddress: number): (socket: Socket) => boolean {
  const counts = new Map<string, number>();
  const leave = (address: string): void => {
    const left = (counts.get(address) ?? 0) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };
  return (socket) => {
    // A reset of a connection that no server holds yet, or holds no longer, concerns nobody.
    socket.on('error', () => {});
    const address = socket.remoteAddress;
    const count = counts.get(address ?? '') ?? 0;
    if (address === undefined || count >= connectionsPerAddress) {
      socket.destroy();
      return false;
    }
    counts.set(address, count + 1);
    socket.once('close', () => leave(address));
    return true;
  };
}

/** So that the client does not send its next request into a connection that is about to end. */
function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Compares by the far end: beneath an encrypted connection lies another socket object with the same one. */
function isBusy(running: ReadonlySet<ServerResponse>): (socket: Socket) => boolean {
  const farEnd = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;
  const busy = new Set([...running].map((response) => farEnd(response.req.socket)));
  return (socket) => busy.has(farEnd(socket));
}
