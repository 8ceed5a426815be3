/** Who is connected: strangers are counted by network and in all, so that nobody takes every connection for himself. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createFairSlots } from '@drawbridge/contract/fair-slots';
import { slotOwnerOf } from '../../domain/networks.ts';

export interface ConnectionLimiter {
  /** Counts the connection in, or hangs up if there are too many already. */
  admit(socket: Socket): boolean;
  /** The connection has proved to be that of a known device, or one side of a session, and is no longer counted among the strangers. */
  settle(connection: Duplex): void;
}

export interface ConnectionLimits {
  connections: number;
  connectionsPerAddress: number;
}

/** By the far end: beneath an encrypted connection lies another socket object with the same one. */
export const remoteKey = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/** Addresses that are uncapped carry the connections of many and are held to the limit of all alone. */
export function createConnectionLimiter(
  limits: ConnectionLimits,
  isUncapped: (address: string) => boolean = () => false,
): ConnectionLimiter {
  const { connections: all, connectionsPerAddress: each } = limits;
  const slots = createFairSlots<Socket>({ all, each }, (socket) => void socket.destroy());
  const unverified = new Map<string, Socket>();
  return {
    admit(socket) {
      // A reset of a connection that no server holds yet, or holds no longer, concerns nobody.
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
        // The far end may use its port again before the end of its last connection is noticed here.
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
