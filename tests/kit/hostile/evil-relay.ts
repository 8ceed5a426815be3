/** A hostile relay: it pairs all connections and tampers with their frames. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { relayProtocol } from '@drawbridge/contract/session/open';
import { decodeBody, splitSigned, type Ticket } from '@drawbridge/contract/session/signed';
import { WebSocketServer, type WebSocket } from 'ws';

/**
 * What is forwarded for a frame: nothing, the frame, or something else. `number` counts the frames of that
 * side from 0.
 */
export type Tamper = (frame: Buffer, from: Ticket['side'], number: number) => readonly Buffer[];

export interface EvilRelay {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  closeAll(): Promise<void>;
}

export function createEvilRelay(tamper: Tamper): EvilRelay {
  const server = new WebSocketServer({ noServer: true, handleProtocols: () => relayProtocol });
  const waiting = new Map<string, { socket: WebSocket; side: Ticket['side'] }>();
  const join = (from: WebSocket, to: WebSocket, side: Ticket['side']): void => {
    let number = 0;
    from.on('message', (data: Buffer, binary) => {
      if (!binary) return;
      for (const frame of tamper(data, side, number)) to.send(frame);
      number += 1;
    });
    from.on('close', () => to.close(relayCloseCodes.gone.code));
    from.send('paired');
  };
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.once('message', (data: Buffer) => {
      const { pair, side } = decodeBody('ticket', splitSigned(data.toString())!.body)!;
      const other = waiting.get(pair);
      if (!other) return void waiting.set(pair, { socket, side });
      waiting.delete(pair);
      join(other.socket, socket, other.side);
      join(socket, other.socket, side);
    });
  });
  return {
    upgrade(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
      return true;
    },
    async closeAll() {
      server.clients.forEach((each) => each.terminate());
      server.close();
    },
  };
}
