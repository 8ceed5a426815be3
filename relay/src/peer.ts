/** One side of a pairing at the relay: its socket, what it may send, and its signs of life. */
import { closeCodes, type CloseCodeName } from '@drawbridge/contract/session/close-codes';
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { maySend, type Side } from '@drawbridge/contract/session/frame-kinds';
import type { Ticket } from '@drawbridge/contract/session/signed';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface PairingPeer {
  side: Side;
  socket: WebSocket;
  /** Whether it tells how much went a direct way. */
  reportsDirectBytes: boolean;
  /** Whether it may send frames that begin with this byte. */
  maySend(byte: number | undefined): boolean;
  /**
   * Asks for a sign of life when it is time; false when the side is gone without a word.
   * `sentBytes` are the bytes that were handed to it so far: what of them does not wait any more, it took.
   */
  isAlive(at: number, sentBytes: number): boolean;
}

export function createPairingPeer(
  socket: WebSocket,
  ticket: Ticket,
  limits: RelayLimits,
  at: number,
): PairingPeer {
  const permissions = new Set(ticket.permissions);
  const allowed = Array.from({ length: 256 }, (_, byte) => maySend(ticket.side, byte, permissions));
  let [lastReceivedAt, drainedAt, nextPingAt] = [at, at, at + limits.pingSeconds * 1_000];
  let drainedBytes = 0;
  let hasReceived = false;

  const onReceived = (): void => void (hasReceived = true);
  socket.on('message', onReceived);
  socket.on('pong', onReceived);
  socket.on('ping', (data) => {
    onReceived();
    // One answer is as good as many, and they must not pile up before somebody who does not read.
    if (socket.bufferedAmount === 0 && socket.readyState === socket.OPEN) socket.pong(data);
  });

  function isDraining(now: number, sentBytes: number): boolean {
    const waiting = socket.bufferedAmount;
    if (waiting === 0 || sentBytes - waiting > drainedBytes) drainedAt = now;
    drainedBytes = Math.max(drainedBytes, sentBytes - waiting);
    return now - drainedAt < limits.stallSeconds * 1_000;
  }

  /** One that is not read can not be heard: its silence is ours. */
  function isResponsive(now: number): boolean {
    if (hasReceived || socket.isPaused) lastReceivedAt = now;
    hasReceived = false;
    return now - lastReceivedAt < limits.silenceSeconds * 1_000;
  }

  return {
    side: ticket.side,
    socket,
    reportsDirectBytes: ticket.side === 'device' && socket.protocol === countingProtocol,
    maySend: (byte) => byte !== undefined && allowed[byte] === true,
    isAlive(now, sentBytes) {
      if (!isDraining(now, sentBytes) || !isResponsive(now)) return false;
      if (nextPingAt > now) return true;
      nextPingAt = now + limits.pingSeconds * 1_000;
      if (socket.readyState === socket.OPEN) socket.ping();
      return true;
    },
  };
}

export function closeWithReason(socket: WebSocket, why: CloseCodeName, sentence?: string): void {
  const { code, reason } = closeCodes[why];
  // Whoever is not read can not say goodbye.
  if (socket.isPaused) socket.resume();
  socket.close(code, truncate(sentence ?? reason));
}

/** As much of it as a WebSocket carries, in whole characters. */
const truncate = (sentence: string): string =>
  new TextDecoder().decode(new TextEncoder().encode(sentence).subarray(0, 123), { stream: true });
