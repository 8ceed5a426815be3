/** WebSockets that have not presented a ticket yet: limited in number, bytes and time. */
import type { Duplex } from 'node:stream';
import { relayCloseCodes } from '@drawbridge/contract/close-codes';
import { createFairSlots, type FairSlots, type SlotOwner } from '@drawbridge/contract/fair-slots';
import { echoReply, echoRequest, maxEchoes } from '@drawbridge/contract/session/round-trips';
import type { RawData, WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';
import { closeSocket } from './socket-server.ts';

interface PendingSocket {
  socket: WebSocket;
  /** The connection that carries the WebSocket. */
  rawSocket: Duplex;
  /** The owner of its slot, such as its network. */
  from: SlotOwner;
}

export interface PendingSockets {
  hasRoomFor(from: SlotOwner): boolean;
  /** Asks whether the first message admits the socket. A refused socket keeps its slot for a while longer. */
  add(pending: PendingSocket, admit: (text: string) => boolean): void;
  /** Closes the sockets that take too long, and frees the slots of those that were refused long enough ago. */
  expire(at: number): void;
  size(): number;
}

interface State {
  readonly limits: RelayLimits;
  readonly clock: () => number;
  readonly addedAt: Map<WebSocket, number>;
  readonly slots: FairSlots<WebSocket>;
  /** In the order in which they were refused. */
  refused: { socket: WebSocket; at: number }[];
}

const maxTicketBytes = 4 * 1_024;
/** Bytes on the wire: a ticket, its frame, and a few pings and pongs. */
const maxBytes = 2 * maxTicketBytes;

export function createPendingSockets(limits: RelayLimits, clock: () => number): PendingSockets {
  const slots = createFairSlots<WebSocket>(
    { all: limits.pendingSockets, each: limits.pendingSocketsPerAddress },
    (socket) => socket.terminate(),
  );
  const state: State = { limits, clock, slots, addedAt: new Map(), refused: [] };
  return {
    hasRoomFor: slots.hasRoomFor,
    add: (pending, admit) => add(state, pending, admit),
    expire: (at) => expire(state, at),
    size: () => state.addedAt.size,
  };
}

function add(
  state: State,
  { socket, rawSocket, from }: PendingSocket,
  admit: (text: string) => boolean,
): void {
  const { slots, addedAt, clock } = state;
  // Several sockets may have passed `hasRoomFor` at the same time.
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
    if (isRefused) state.refused.push({ socket, at: clock() });
    else slots.release(socket);
  };
  const isEcho = createEcho(socket);
  const onMessage = (data: RawData, isBinary: boolean): void => {
    const message = data as Buffer;
    if (!isBinary && isEcho(message)) return;
    socket.off('message', onMessage);
    if (!isBinary && message.length <= maxTicketBytes && admit(message.toString())) return remove();
    isRefused = true;
    // `admit` has already closed a socket whose ticket is not valid.
    if (socket.readyState === socket.OPEN) closeSocket(socket, relayCloseCodes.not_understood);
  };
  addedAt.set(socket, clock());
  rawSocket.on('data', countBytes);
  socket.on('message', onMessage);
  socket.once('close', remove);
}

/** Answers the first few requests of a client that measures its round trip; false for any other message. */
function createEcho(socket: WebSocket): (message: Buffer) => boolean {
  let echoes = 0;
  return (message) => {
    if (echoes >= maxEchoes || message.length > echoRequest.length || message.toString() !== echoRequest)
      return false;
    echoes += 1;
    socket.send(echoReply);
    return true;
  };
}

function expire(state: State, at: number): void {
  const { limits, addedAt, slots } = state;
  for (const [socket, since] of addedAt)
    if (at - since >= limits.ticketTimeoutSeconds * 1_000) closeSocket(socket, relayCloseCodes.too_slow);
  const isOver = (refusal: { at: number }): boolean => at - refusal.at >= limits.refusedSeconds * 1_000;
  for (const { socket } of state.refused.filter(isOver)) slots.release(socket);
  state.refused = state.refused.filter((refusal) => !isOver(refusal));
}
