/** One side of a pairing at the relay: its WebSocket, the frames it may send, and whether it still responds. */
import { countingProtocol } from '@drawbridge/contract/session/direct-count';
import { frameKindOf, maySend, type Side } from '@drawbridge/contract/session/frame-kinds';
import type { Ticket } from '@drawbridge/contract/session/signed';
import type { WebSocket } from 'ws';
import type { RelayLimits } from './limits.ts';

export interface PairingPeer {
  side: Side;
  socket: WebSocket;
  /** Whether it reports how many bytes took the direct connection. */
  reportsDirectBytes: boolean;
  /** Whether another node has passed it on, which answers a close frame before the side itself has seen it. */
  isForwarded?: boolean;
  /** Whether frames of this side that begin with this byte are forwarded. */
  maySend(byte: number | undefined): boolean;
  /** Called with each message by who listens to the messages of the socket, because two listeners cost more than one. */
  noteReceived(): void;
  /**
   * Sends a ping when it is time; false when the side no longer responds.
   * `sentBytes` counts everything forwarded to it so far: what is no longer buffered, it has received.
   */
  isAlive(at: number, sentBytes: number): boolean;
}

interface State {
  readonly socket: WebSocket;
  readonly limits: RelayLimits;
  lastReceivedAt: number;
  /** When it last received something, or nothing was buffered for it. */
  drainedAt: number;
  drainedBytes: number;
  nextPingAt: number;
  /** Whether something was received since the last check. */
  hasReceived: boolean;
}

export function createPairingPeer(
  socket: WebSocket,
  ticket: Ticket,
  limits: RelayLimits,
  at: number,
): PairingPeer {
  const permissions = new Set(ticket.permissions);
  // Two sides of a newer version may know more kinds than this relay. Their frames are sealed and numbered, so a missing one
  // would end the session; a receiver that does not know the kind skips it, and one that does checks the permission.
  const allowed = bitsOf(
    (byte) => frameKindOf(byte) === undefined || maySend(ticket.side, byte, permissions),
  );
  const state: State = {
    socket,
    limits,
    lastReceivedAt: at,
    drainedAt: at,
    drainedBytes: 0,
    nextPingAt: at + limits.pingSeconds * 1_000,
    hasReceived: false,
  };
  listenForPings(state);
  return {
    side: ticket.side,
    socket,
    reportsDirectBytes: ticket.side === 'device' && socket.protocol === countingProtocol,
    maySend: (byte) => byte !== undefined && (allowed[byte >> 5]! & (1 << (byte & 31))) !== 0,
    noteReceived: () => void (state.hasReceived = true),
    isAlive: (now, sentBytes) => isAlive(state, now, sentBytes),
  };
}

/** One bit for each value of a byte, because every session keeps two of these. */
function bitsOf(isSet: (byte: number) => boolean): Uint32Array {
  const bits = new Uint32Array(8);
  for (let byte = 0; byte < 256; byte += 1) if (isSet(byte)) bits[byte >> 5]! |= 1 << (byte & 31);
  return bits;
}

function listenForPings(state: State): void {
  const { socket } = state;
  socket.on('pong', () => void (state.hasReceived = true));
  socket.on('ping', (data) => {
    state.hasReceived = true;
    // One pong answers many pings, and pongs must not pile up for a peer that does not read.
    if (socket.bufferedAmount === 0 && socket.readyState === socket.OPEN) socket.pong(data);
  });
}

function isAlive(state: State, now: number, sentBytes: number): boolean {
  if (!isDraining(state, now, sentBytes) || !isResponsive(state, now)) return false;
  if (state.nextPingAt > now) return true;
  const { socket, limits } = state;
  state.nextPingAt = now + limits.pingSeconds * 1_000;
  if (socket.readyState === socket.OPEN) socket.ping();
  return true;
}

function isDraining(state: State, now: number, sentBytes: number): boolean {
  const waiting = state.socket.bufferedAmount;
  if (waiting === 0 || sentBytes - waiting > state.drainedBytes) state.drainedAt = now;
  state.drainedBytes = Math.max(state.drainedBytes, sentBytes - waiting);
  return now - state.drainedAt < state.limits.stallSeconds * 1_000;
}

/** A paused socket delivers nothing, so its silence does not count. */
function isResponsive(state: State, now: number): boolean {
  if (state.hasReceived || state.socket.isPaused) state.lastReceivedAt = now;
  state.hasReceived = false;
  return now - state.lastReceivedAt < state.limits.silenceSeconds * 1_000;
}
