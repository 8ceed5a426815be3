/** A port with TLS in this process at which a relay that runs alone can be reached. */
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { RemoteRelay } from '@drawbridge/relay/control/remote-relay';
import { slotOwnerOf } from '@drawbridge/server/domain/networks';
import type { KeyPair } from '@drawbridge/server/tls/self-signed';

export interface RelayPort extends AsyncDisposable {
  /** As wss://… */
  origin: string;
}

/** Closes the relay with the port. */
export async function openRelayPort(relay: RemoteRelay, { cert, key }: KeyPair): Promise<RelayPort> {
  const port = createServer({ cert, key });
  port.on('upgrade', (request, socket: Socket, head) => {
    const from = { ...slotOwnerOf(socket.remoteAddress!), settle() {} };
    if (!relay.upgrade(request, socket, head, from)) socket.destroy();
  });
  await once(port.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `wss://127.0.0.1:${(port.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await relay.close();
      port.close();
      port.closeAllConnections();
    },
  };
}
