/** What the relay allows at most, and how long it waits. */
import type { Side } from '@drawbridge/contract/session/frame-kinds';

export interface RelayLimits {
  /** How long a socket may take to show its ticket. */
  ticketTimeoutSeconds: number;
  /** How long a side waits for the other; an operator may wait for the client of an invitation. */
  waitSeconds: Record<Side, number>;
  /** Sockets that have not shown a ticket yet; when so many are here, the network with most of them gives one up. */
  pendingSockets: number;
  pendingSocketsPerAddress: number;
  /** How long a socket that was refused still counts as one of its address. */
  refusedSeconds: number;
  /** Bytes that may wait for a receiver before its sender is no longer read. */
  waitingBytes: number;
  /** Frames that may wait; each costs more than its bytes. */
  waitingFrames: number;
  /** Bytes that may wait in both directions of a session; beyond it ends. */
  sessionBytes: number;
  /** A receiver that takes nothing for so long, while something waits for it, is gone. */
  stallSeconds: number;
  /** A sign of life is asked for this often. */
  pingSeconds: number;
  /** After so long a silence a side counts as gone. */
  silenceSeconds: number;
  /** Frames that were not allowed, before their sender is. */
  droppedFrames: number;
  /** How often a device is asked how much went the direct way. */
  countSeconds: number;
  /** More than this goes no direct way, whatever a device says. */
  directBytesPerSecond: number;
  /** How often is looked at what takes too long. */
  checkEveryMs: number;
}

export const defaultRelayLimits: RelayLimits = {
  ticketTimeoutSeconds: 5,
  waitSeconds: { device: 60, operator: 900 },
  pendingSockets: 1_000,
  pendingSocketsPerAddress: 64,
  refusedSeconds: 10,
  waitingBytes: 256 * 1_024,
  waitingFrames: 1_024,
  sessionBytes: 4 * 1_024 * 1_024,
  stallSeconds: 20,
  pingSeconds: 12,
  silenceSeconds: 25,
  droppedFrames: 1_000,
  countSeconds: 10,
  directBytesPerSecond: 1_250_000_000,
  checkEveryMs: 1_000,
};
