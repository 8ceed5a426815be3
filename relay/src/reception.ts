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
  /** Asks whether the first message admits the socket. One that is refused for it takes up its place for a while longer. */
  receive(guest: Guest, admit: (word: string) => boolean): void;
  /** Sends away anyone who takes too long, and forgets those who were refused long enough ago. */
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
  /** In the order in which they were refused. */
  let refused: { address: string; at: number }[] = [];

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
      let isRefused = false;
      const weigh = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes <= mostBytes) return;
        isRefused = true;
        socket.terminate();
      };
      const leave = (): void => {
        if (!since.delete(socket)) return;
        wire.off('data', weigh);
        if (isRefused) refused.push({ address, at: clock() });
        else count(address, -1);
      };
      const hear = (data: RawData, isBinary: boolean): void => {
        const message = data as Buffer;
        if (!isBinary && message.length <= longestTicket && admit(message.toString())) return leave();
        isRefused = true;
        // One that was not admitted has been told so already.
        if (socket.readyState === socket.OPEN) hangUp(socket, 'not_understood');
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
      const isOver = (each: { at: number }): boolean => at - each.at >= limits.refusedSeconds * 1_000;
      for (const { address } of refused.filter(isOver)) count(address, -1);
      refused = refused.filter((each) => !isOver(each));
    },
    size: () => since.size,
  };
}
