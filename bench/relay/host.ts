/** A process that pairs sockets, with and without TLS: the relay, or a bare pipe of two sockets as baseline. */
import { createServer as createPlain, type IncomingMessage } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createRelay } from '@drawbridge/relay/relay';
import { WebSocketServer, type WebSocket } from 'ws';

export interface HostSetup {
  name: 'ours' | 'limit';
  serverKey: string;
  cert: string;
  key: string;
}

export interface HostPorts {
  secure: number;
  plain: number;
}

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The baseline: the first message names the pair, and all others are forwarded without checks. */
function barePipe(): Upgrade {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const alone = new Map<string, WebSocket>();
  const pipe = (from: WebSocket, to: WebSocket): void => {
    from.on('message', (data, binary) => to.send(data as Buffer, { binary }));
    from.once('close', () => to.close());
    from.send('paired');
  };
  return (request, wire, head) =>
    server.handleUpgrade(request, wire, head, (socket) =>
      socket.once('message', (data: Buffer) => {
        const other = alone.get(String(data));
        if (!other) return void alone.set(String(data), socket);
        pipe(socket, other);
        pipe(other, socket);
      }),
    );
}

function relay({ serverKey }: HostSetup): Upgrade {
  const made = createRelay({
    serverKeys: [serverKey],
    origins: [],
    now: () => Math.floor(Date.now() / 1_000),
    limits: { pendingSocketsPerAddress: 1_000 },
  });
  return (request, wire, head) =>
    void made.upgrade(request, wire, head, { narrow: '127.0.0.1', wide: '127.0.0.1' });
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

process.once('message', (setup: HostSetup) => {
  const upgrade = setup.name === 'ours' ? relay(setup) : barePipe();
  const { cert, key } = setup;
  const servers = [createSecure({ cert, key }), createPlain()];
  for (const server of servers) server.on('upgrade', upgrade);
  void Promise.all(servers.map(listen)).then(([secure, plain]) => process.send!({ secure, plain }));
});
process.once('disconnect', () => process.exit(0));
