/**
 * A reverse proxy as people put in front of the server: it terminates TLS with its own certificate and names
 * the client in headers.
 */
import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { KeyPair } from '@drawbridge/server/tls/self-signed';

export interface TlsProxy extends AsyncDisposable {
  url: string;
  /** Where it forwards requests to, in plain HTTP. */
  target: number;
  /** Called with every response before it is forwarded; the response waits until this resolves. */
  passing(path: string, http: number): Promise<unknown> | void;
  renew(pair: KeyPair): void;
}

const headersOf = ({ headers, socket }: IncomingMessage) => ({
  ...headers,
  'x-forwarded-for': socket.remoteAddress!,
  'x-forwarded-proto': 'https',
});

export async function openTlsProxy(pair: KeyPair): Promise<TlsProxy> {
  const sockets = new Set<Socket>();
  const passOn = async (answered: IncomingMessage, answer: ServerResponse, path: string): Promise<void> => {
    await proxy.passing(path, answered.statusCode!);
    answer.writeHead(answered.statusCode!, answered.headers);
    answered.pipe(answer);
  };
  const server = createServer({ cert: pair.cert, key: pair.key }, (asked, answer) => {
    const { method, url: path } = asked;
    const far = request({ port: proxy.target, method, path, headers: headersOf(asked) }, (answered) => {
      void passOn(answered, answer, path!);
    });
    asked.pipe(far.on('error', () => answer.destroy()));
  });
  server.on('upgrade', (asked: IncomingMessage, near: Socket, head: Buffer) => {
    const far = connect(proxy.target, '127.0.0.1');
    const lines = Object.entries(headersOf(asked)).map(([name, value]) => `${name}: ${String(value)}`);
    far.write([`GET ${asked.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
    far.write(head);
    near.pipe(far).pipe(near);
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  });
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TlsProxy = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    target: 0,
    passing: () => {},
    renew: ({ cert, key }) => server.setSecureContext({ cert, key }),
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
