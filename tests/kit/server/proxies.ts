/**
 * Proxies between a device and its server: one that only forwards, one that terminates TLS, and one that
 * impersonates the server.
 */
import { once } from 'node:events';
import { createServer as createSecureHttp } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectSecure, createServer as createSecure } from 'node:tls';
import { type KeyPair, createSelfSigned } from '@drawbridge/server/tls/self-signed';
import { WebSocketServer, type WebSocket } from 'ws';

export interface TestProxy extends AsyncDisposable {
  url: string;
  /** How many connections it accepted. */
  count(): number;
}

export const makeKeyPair = (): Promise<KeyPair> => createSelfSigned(['localhost', '127.0.0.1'], new Date());

async function open(server: Server, scheme = 'https'): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${scheme}://localhost:${(server.address() as AddressInfo).port}`,
    count: () => count,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}

function pipeSockets(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [near, far] of [
    [one, other],
    [other, one],
  ] as const)
    near.on('error', () => {}).on('close', () => far.destroy());
}

/** Forwards connections to the current `target`, like an address that several servers share. */
export const openTcpProxy = (target: () => string): Promise<TestProxy> =>
  open(
    createServer((near) => {
      const { port } = new URL(target());
      pipeSockets(near, connect({ host: '127.0.0.1', port: Number(port) }));
    }),
  );

/** Reads everything: it terminates TLS with its own certificate and opens a TLS connection to the server. */
export const openTlsInterceptor = async (server: string, pair?: KeyPair): Promise<TestProxy> =>
  open(
    createSecure({ ...(pair ?? (await makeKeyPair())) }, (near) => {
      const { port } = new URL(server);
      pipeSockets(near, connectSecure({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }));
    }).on('tlsClientError', () => {}),
  );

/** Sends arbitrary messages to every device that connects, without being the server. */
export async function openImpostorServer(
  speak: (socket: WebSocket) => void,
  pair?: KeyPair,
): Promise<TestProxy> {
  const server = createSecureHttp({ ...(pair ?? (await makeKeyPair())) });
  new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false }).on(
    'connection',
    (socket) => {
      socket.on('error', () => {});
      speak(socket);
    },
  );
  return open(server);
}
