/** Limits unauthenticated connections per network and in total. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createFairSlots } from '@drawbridge/contract/fair-slots';
import { slotOwnerOf } from '../../domain/networks.ts';

export interface ConnectionLimiter {
  /** Counts the connection, or closes it if there are too many. */
  admit(socket: Socket): boolean;
  /** The connection belongs to a verified device or a session: it no longer counts as unauthenticated. */
  settle(connection: Duplex): void;
}

export interface ConnectionLimits {
  connections: number;
  connectionsPerAddress: number;
}

/** The unauthenticated connections of this node by network, as the other nodes need to know them. */
export interface ConnectionCounts {
  counts(): ReadonlyMap<string, number>;
  /** Closes the newest connections of networks that have more than they may keep. */
  shrink(keep: ReadonlyMap<string, number>): void;
}

/** Counts together with other nodes; returns how many connections a network has at them. */
export type ShareConnections = (own: ConnectionCounts) => (network: string) => number;

export interface LimiterOptions {
  /** Such addresses, for example proxies, carry the connections of many clients: only the total limit applies to them. */
  isUncapped?: ((address: string) => boolean) | undefined;
  share?: ShareConnections | undefined;
}

/** Identifies a connection by its remote end, which the TLS socket and the TCP socket below it share. */
export const remoteKey = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

const destroy = (socket: Socket): void => void socket.destroy();

export function createConnectionLimiter(
  limits: ConnectionLimits,
  { isUncapped = () => false, share = () => () => 0 }: LimiterOptions = {},
): ConnectionLimiter {
  const { connections: all, connectionsPerAddress: each } = limits;
  const slots = createFairSlots<Socket>({ all, each }, destroy, (network) => elsewhere(network));
  const elsewhere = share(slots);
  const unverified = new Map<string, Socket>();
  return {
    admit(socket) {
      // Without a listener, a reset before or after a server holds the socket would throw.
      socket.on('error', () => {});
      const address = socket.remoteAddress;
      if (
        address === undefined ||
        !slots.acquire(socket, isUncapped(address) ? undefined : slotOwnerOf(address))
      ) {
        socket.destroy();
        return false;
      }
      const remote = remoteKey(socket);
      unverified.set(remote, socket);
      socket.once('close', () => {
        slots.release(socket);
        // The client may use its port again before this server notices that the last connection has ended.
        if (unverified.get(remote) === socket) unverified.delete(remote);
      });
      return true;
    },
    settle(connection) {
      const remote = remoteKey(connection as Socket);
      const socket = unverified.get(remote);
      unverified.delete(remote);
      if (socket) slots.release(socket);
    },
  };
}
