/** Bounds how many requests a client may pipeline, and answers those of one connection one after the other. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Fields of Node's HTTP server that are not public. Without them the requests of one packet are parsed in vain. */
interface ParsedSocket extends Socket {
  parser?: { onIncoming?: unknown } | null;
}

/** The answer with which Node's parser expects another protocol from here on, so that it stops. */
const stopParsing = (): number => 2;

/** Ends the connection. Node parses all requests of one packet before it serves other connections: here it stops. */
export function endPipelining({ socket }: IncomingMessage): void {
  const { parser } = socket as ParsedSocket;
  if (parser) parser.onIncoming = stopParsing;
  socket.destroy();
}

/** Whether the request has to wait for a response before it: only then it has no socket to write to yet. */
export const isPipelined = (response: ServerResponse): boolean => !response.socket;

/** Returns a check whether more requests wait on the connection of this one than are allowed. */
export function createPipeliningLimit(
  most: number,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waitingOn = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    if (!isPipelined(response)) return false;
    const waiting = (waitingOn.get(socket) ?? 0) + 1;
    waitingOn.set(socket, waiting);
    response.once('close', () => waitingOn.set(socket, (waitingOn.get(socket) ?? 1) - 1));
    return waiting > most;
  };
}

/**
 * Pipelined requests wait until the responses before theirs are sent: a connection never has more than one response in
 * memory, and other connections are served between two of its requests.
 */
export function afterPrevious(response: ServerResponse, work: () => void): void {
  if (!isPipelined(response)) return work();
  response.once('socket', () => void setImmediate(() => response.destroyed || work()));
}
