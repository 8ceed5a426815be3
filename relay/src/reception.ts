/** The way in for sockets that have not shown a ticket yet: few at once, little to say, and not much time. */
import type { Duplex } from 'node:stream';
import { createFairSlots, type SlotOwner } from '@drawbridge/contract/fair-slots';
import type { RawData, WebSocket } from 'ws';
import { hangUp } from './end.ts';
import type { RelayLimits } from './limits.ts';

export interface Guest {
  socket: WebSocket;
  /** What the socket runs over. */
  wire: Duplex;
  /** Whom it is counted by, such as its network. */
  from: SlotOwner;
}

export interface Reception {
  hasRoomFor(from: SlotOwner): boolean;
  /** Asks whether the first message admits the socket. One that is refused for it keeps its place for a while longer. */
  receive(guest: Guest, admit: (word: string) => boolean): void;
  /** Sends away anyone who takes too long, and frees the places of those who were refused long enough ago. */
  look(at: number): void;
  /** How many are here. */
  size(): number;
}

export const longestTicket = 4 * 1_024;
/** Bytes on the wire: a ticket, its frame, and a few signs of life. */
const mostBytes = 2 * longestTicket;

export function createReception(limits: RelayLimits, clock: () => number): Reception {
  const since = new Map<WebSocket, number>();
  const slots = createFairSlots<WebSocket>({ all: limits.guests, each: limits.guestsPerAddress }, (socket) =>
    socket.terminate(),
  );
  /** In the order in which they were refused. */
  let refused: { socket: WebSocket; at: number }[] = [];

  return {
    hasRoomFor: slots.hasRoomFor,
    receive({ socket, wire, from }, admit) {
      // Several that were found to have room may come at once.
      if (!slots.acquire(socket, from)) return socket.terminate();
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
        if (isRefused) refused.push({ socket, at: clock() });
        else slots.release(socket);
      };
      const hear = (data: RawData, isBinary: boolean): void => {
        const message = data as Buffer;
        if (!isBinary && message.length <= longestTicket && admit(message.toString())) return leave();
        isRefused = true;
        // One that was not admitted has been told so already.
        if (socket.readyState === socket.OPEN) hangUp(socket, 'not_understood');
      };
      since.set(socket, clock());
      wire.on('data', weigh);
      socket.once('message', hear);
      socket.once('close', leave);
    },
    look(at) {
      for (const [socket, cameAt] of since)
        if (at - cameAt >= limits.ticketTimeoutSeconds * 1_000) hangUp(socket, 'too_slow');
      const isOver = (each: { at: number }): boolean => at - each.at >= limits.refusedSeconds * 1_000;
      for (const { socket } of refused.filter(isOver)) slots.release(socket);
      refused = refused.filter((each) => !isOver(each));
    },
    size: () => since.size,
  };
}
