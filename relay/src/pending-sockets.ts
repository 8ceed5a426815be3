/** The way in for sockets that have not shown a ticket yet: few at once, little to say, and not much time. */
import type { Duplex } from 'node:stream';
import { createFairSlots, type SlotOwner } from '@drawbridge/contract/fair-slots';
import type { RawData, WebSocket } from 'ws';
import { closeWithReason } from './peer.ts';
import type { RelayLimits } from './limits.ts';

export interface PendingSocket {
  socket: WebSocket;
  /** What the socket runs over. */
  rawSocket: Duplex;
  /** Whom it is counted by, such as its network. */
  from: SlotOwner;
}

export interface PendingSockets {
  hasRoomFor(from: SlotOwner): boolean;
  /** Asks whether the first message admits the socket. One that is refused for it keeps its place for a while longer. */
  add(pending: PendingSocket, admit: (text: string) => boolean): void;
  /** Sends away anyone who takes too long, and frees the places of those who were refused long enough ago. */
  expire(at: number): void;
  /** How many are here. */
  size(): number;
}

export const maxTicketBytes = 4 * 1_024;
/** Bytes on the wire: a ticket, its frame, and a few signs of life. */
const maxBytes = 2 * maxTicketBytes;

export function createPendingSockets(limits: RelayLimits, clock: () => number): PendingSockets {
  const addedAt = new Map<WebSocket, number>();
  const slots = createFairSlots<WebSocket>(
    { all: limits.pendingSockets, each: limits.pendingSocketsPerAddress },
    (socket) => socket.terminate(),
  );
  /** In the order in which they were refused. */
  let refused: { socket: WebSocket; at: number }[] = [];

  return {
    hasRoomFor: slots.hasRoomFor,
    add({ socket, rawSocket, from }, admit) {
      // Several that were found to have room may come at once.
      if (!slots.acquire(socket, from)) return socket.terminate();
      let bytes = 0;
      let isRefused = false;
      const countBytes = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes <= maxBytes) return;
        isRefused = true;
        socket.terminate();
      };
      const remove = (): void => {
        if (!addedAt.delete(socket)) return;
        rawSocket.off('data', countBytes);
        if (isRefused) refused.push({ socket, at: clock() });
        else slots.release(socket);
      };
      const onMessage = (data: RawData, isBinary: boolean): void => {
        const message = data as Buffer;
        if (!isBinary && message.length <= maxTicketBytes && admit(message.toString())) return remove();
        isRefused = true;
        // One that was not admitted has been told so already.
        if (socket.readyState === socket.OPEN) closeWithReason(socket, 'not_understood');
      };
      addedAt.set(socket, clock());
      rawSocket.on('data', countBytes);
      socket.once('message', onMessage);
      socket.once('close', remove);
    },
    expire(at) {
      for (const [socket, cameAt] of addedAt)
        if (at - cameAt >= limits.ticketTimeoutSeconds * 1_000) closeWithReason(socket, 'too_slow');
      const isOver = (each: { at: number }): boolean => at - each.at >= limits.refusedSeconds * 1_000;
      for (const { socket } of refused.filter(isOver)) slots.release(socket);
      refused = refused.filter((each) => !isOver(each));
    },
    size: () => addedAt.size,
  };
}
