/** The limits and timeouts of the relay. */
import type { Side } from '@drawbridge/contract/session/frame-kinds';

export interface RelayLimits {
  /** How long a WebSocket may take to present its ticket. */
  ticketTimeoutSeconds: number;
  /** How long a side waits for the other. An operator may have to wait for the client of an invitation. */
  waitSeconds: Record<Side, number>;
  /** WebSockets without a ticket; at the limit, the network with the most of them loses one. */
  pendingSockets: number;
  pendingSocketsPerAddress: number;
  /** Pairings at a time; what comes in addition is told to connect elsewhere. */
  pairings: number;
  /** How long a refused WebSocket still counts for its address. */
  refusedSeconds: number;
  /** Bytes that may wait for a receiver before the relay stops reading from the sender. */
  waitingBytes: number;
  /** Frames that may wait for a receiver; each needs more memory than its bytes. */
  waitingFrames: number;
  /** Bytes that may wait in both directions of a session before it is ended. */
  sessionBytes: number;
  /** A receiver counts as gone when data waits for it and it receives nothing for this long. */
  stallSeconds: number;
  /** How often a ping is sent. */
  pingSeconds: number;
  /** A side that sends nothing for this long counts as gone. */
  silenceSeconds: number;
  /** How many frames that are not allowed a side may send before it is disconnected. */
  droppedFrames: number;
  /** How often a device is asked how many bytes took the direct connection. */
  countSeconds: number;
  /** How long the end of a session waits for the last report of a device that another node has passed on. */
  lastCountSeconds: number;
  /** A device that reports more than this is not believed. */
  directBytesPerSecond: number;
  /** How often timeouts are checked. */
  checkEveryMs: number;
}

/**
 * Nodes are close to each other: a frozen one is noticed sooner than a client whose network is bad. Both nodes send pings,
 * because one that waits for a slow receiver does not read, and so does not answer them.
 */
export const nodePingSeconds = 1;
export const nodeSilenceSeconds = 3.5;

export const defaultRelayLimits: RelayLimits = {
  ticketTimeoutSeconds: 5,
  waitSeconds: { device: 60, operator: 900 },
  pendingSockets: 1_000,
  pendingSocketsPerAddress: 64,
  pairings: 20_000,
  refusedSeconds: 10,
  waitingBytes: 256 * 1_024,
  waitingFrames: 1_024,
  sessionBytes: 4 * 1_024 * 1_024,
  stallSeconds: 20,
  pingSeconds: 12,
  silenceSeconds: 25,
  droppedFrames: 1_000,
  countSeconds: 10,
  lastCountSeconds: 2,
  directBytesPerSecond: 1_250_000_000,
  checkEveryMs: 1_000,
};
