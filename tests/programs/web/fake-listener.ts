/** A port of the fake server, with or without TLS. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
  server: Server;
  url: string;
}

export async function listen(server: Server, scheme: string): Promise<Listener> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `${scheme}://localhost:${(server.address() as AddressInfo).port}` };
}

export async function closeListener({ server }: Listener): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
