/**
 * An unauthenticated client at one of the sockets of a service: sends one message, and reports how it ended.
 */
import { WebSocket } from 'ws';

export interface SocketTarget {
  /** The address of the service. */
  server: string;
  path: string;
  protocol: string;
  /** The local address to connect from. */
  from?: string;
}

/** `http` if the connection never became a socket. */
export type SocketEnd = { http: number } | { code: number; reason: string };

export function sendFirstMessage(
  { server, path, protocol, from = '127.0.0.1' }: SocketTarget,
  text: string,
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
    socket.once('open', () => socket.send(text));
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
    socket.once('error', (error) => (socket.readyState === WebSocket.CONNECTING ? reject(error) : undefined));
  });
}
