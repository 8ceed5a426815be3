/** A stranger at one of the sockets of a service: says one thing, and tells how it ended. */
import { WebSocket } from 'ws';

export interface SocketTarget {
  /** Where the service is. */
  server: string;
  path: string;
  protocol: string;
  /** The address of this machine to come from. */
  from?: string;
}

/** `http` where the connection never became a socket. */
export type SocketEnd = { http: number } | { code: number; reason: string };

export function sendFirstMessage(
  { server, path, protocol, from = '127.0.0.1' }: SocketTarget,
  said: string,
): Promise<SocketEnd> {
  const url = new URL(path, server.replace(/^https:\/\/localhost/, 'wss://127.0.0.1'));
  const socket = new WebSocket(url, protocol, {
    rejectUnauthorized: false,
    perMessageDeflate: false,
    localAddress: from,
  });
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      resolve({ http: statusCode });
    });
    socket.once('open', () => socket.send(said));
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    socket.once('error', (error) => (socket.readyState === WebSocket.CONNECTING ? reject(error) : undefined));
  });
}
