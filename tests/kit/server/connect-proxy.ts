/** An HTTP proxy that opens tunnels, records who asked for them, and keeps what was sent through them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface ConnectProxy extends AsyncDisposable {
  port: number;
  /** Every tunnel that was requested. */
  asked: { target: string; credentials: string | undefined }[];
  /** All bytes that clients sent into tunnels. */
  received(): Buffer;
}

export async function openConnectProxy(): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on('connect', (request, near: Socket, head: Buffer) => {
    asked.push({ target: request.url!, credentials: request.headers['proxy-authorization'] });
    const { hostname, port } = new URL(`http://${request.url}`);
    const far = connect(Number(port), hostname, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.write(head);
      near.on('data', (chunk: Buffer) => chunks.push(chunk));
      near.pipe(far).pipe(near);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    received: () => Buffer.concat(chunks),
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
