/** The way in for sockets that have not shown a ticket yet: few at once, little to say, and not much time. */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { hangUp } from './end.ts';
import type { Limits } from './limits.ts';

export interface Guest {
  socket: WebSocket;
  /** What the socket runs over. */
  wire: Duplex;
  address: string;
}

export interface Reception {
  hasRoomFor(address: string): boolean;
  /** Asks whether the first message admits the socket. One that is not admitted counts until it is gone. */
  receive(guest: Guest, admit: (word: string) => boolean): void;
  /** Sends away whoever takes too long. */
  look(at: number): void;
  /** How many are here. */
  size(): number;
}

export const longestTicket = 4 * 1_024;
/** Bytes on the wire: a ticket, its frame, and a few signs of life. */
const mostBytes = 2 * longestTicket;

export function createReception(limits: Limits, clock: () => number): Reception {
  const since = new Map<WebSocket, number>();
  const perAddress = new Map<string, number>();

  function count(address: string, by: 1 | -1): void {
    const here = (perAddress.get(address) ?? 0) + by;
    if (here > 0) perAddress.set(address, here);
    else perAddress.delete(address);
  }

  return {
    hasRoomFor: (address) =>
      since.size < limits.guests && (perAddress.get(address) ?? 0) < limits.guestsPerAddress,
    receive({ socket, wire, address }, admit) {
      let bytes = 0;
      const weigh = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > mostBytes) socket.terminate();
      };
      const leave = (): void => {
        if (!since.delete(socket)) return;
        count(address, -1);
        wire.off('data', weigh);
      };
      const hear = (data: RawData, isBinary: boolean): void => {
        const message = data as Buffer;
        if (isBinary || message.length > longestTicket) hangUp(socket, 'not_understood');
        else if (admit(message.toString())) leave();
      };
      since.set(socket, clock());
      count(address, 1);
      wire.on('data', weigh);
      socket.once('message', hear);
      socket.once('close', leave);
    },
    look(at) {
      for (const [socket, from] of since)
        if (at - from >= limits.firstWordSeconds * 1_000) hangUp(socket, 'too_slow');
    },
    size: () => since.size,
  };
}
