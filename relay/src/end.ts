/** One side of a pairing at the relay: its socket, what it may send, and its signs of life. */
import { closeCodes, type CloseCodeName } from '@drawbridge/contract/session/close-codes';
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { maySend, type Side } from '@drawbridge/contract/session/frame-kinds';
import type { Ticket } from '@drawbridge/contract/session/signed';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface End {
  side: Side;
  socket: WebSocket;
  /** Whether it tells how much went a direct way. */
  counts: boolean;
  /** Whether it may send frames that begin with this byte. */
  may(byte: number | undefined): boolean;
  /**
   * Asks for a sign of life when it is time; false when the side is gone without a word.
   * `handed` are the bytes that were handed to it so far: what of them does not wait any more, it took.
   */
  isAlive(at: number, handed: number): boolean;
}

export function createEnd(socket: WebSocket, ticket: Ticket, limits: RelayLimits, at: number): End {
  const permissions = new Set(ticket.permissions);
  const allowed = Array.from({ length: 256 }, (_, byte) => maySend(ticket.side, byte, permissions));
  let [heardAt, takenAt, askAt] = [at, at, at + limits.pingSeconds * 1_000];
  let taken = 0;
  let wasHeard = false;

  const hear = (): void => void (wasHeard = true);
  socket.on('message', hear);
  socket.on('pong', hear);
  socket.on('ping', (data) => {
    hear();
    // One answer is as good as many, and they must not pile up before somebody who does not read.
    if (socket.bufferedAmount === 0 && socket.readyState === socket.OPEN) socket.pong(data);
  });

  function takes(now: number, handed: number): boolean {
    const waiting = socket.bufferedAmount;
    if (waiting === 0 || handed - waiting > taken) takenAt = now;
    taken = Math.max(taken, handed - waiting);
    return now - takenAt < limits.stallSeconds * 1_000;
  }

  /** One that is not read can not be heard: its silence is ours. */
  function speaks(now: number): boolean {
    if (wasHeard || socket.isPaused) heardAt = now;
    wasHeard = false;
    return now - heardAt < limits.silenceSeconds * 1_000;
  }

  return {
    side: ticket.side,
    socket,
    counts: ticket.side === 'device' && socket.protocol === countingProtocol,
    may: (byte) => byte !== undefined && allowed[byte] === true,
    isAlive(now, handed) {
      if (!takes(now, handed) || !speaks(now)) return false;
      if (askAt > now) return true;
      askAt = now + limits.pingSeconds * 1_000;
      if (socket.readyState === socket.OPEN) socket.ping();
      return true;
    },
  };
}

export function hangUp(socket: WebSocket, why: CloseCodeName, sentence?: string): void {
  const { code, reason } = closeCodes[why];
  // Whoever is not read can not say goodbye.
  if (socket.isPaused) socket.resume();
  socket.close(code, shortened(sentence ?? reason));
}

/** As much of it as a WebSocket carries, in whole characters. */
const shortened = (sentence: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(sentence).subarray(0, 123), { stream: true });
