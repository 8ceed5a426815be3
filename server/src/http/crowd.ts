/** Who is connected: strangers are counted by address and in all, so that nobody takes every connection for himself. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Crowd {
  /** Counts the connection in, or hangs up if there are too many already. */
  admit(socket: Socket): boolean;
  /** The connection has proved to be that of a known device, and is no longer counted among the strangers. */
  settle(connection: Duplex): void;
}

export interface CrowdLimits {
  connections: number;
  connectionsPerAddress: number;
}

/** By the far end: beneath an encrypted connection lies another socket object with the same one. */
export const farEnd = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/** Addresses that are `uncapped` carry the connections of many and are held to the limit of all alone. */
export function createCrowd(limits: CrowdLimits, uncapped: (address: string) => boolean): Crowd {
  const counts = new Map<string, number>();
  const ways = new Map<string, () => void>();
  let strangers = 0;
  const leave = (address: string): void => {
    const left = (counts.get(address) ?? 0) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };
  const isFull = (address: string): boolean =>
    strangers >= limits.connections || (counts.get(address) ?? 0) >= limits.connectionsPerAddress;
  return {
    admit(socket) {
      // A reset of a connection that no server holds yet, or holds no longer, concerns nobody.
      socket.on('error', () => {});
      const address = socket.remoteAddress;
      if (address === undefined || isFull(address)) {
        socket.destroy();
        return false;
      }
      const who = farEnd(socket);
      const counted = !uncapped(address);
      if (counted) counts.set(address, (counts.get(address) ?? 0) + 1);
      strangers++;
      const gone = (): void => {
        socket.off('close', gone);
        strangers--;
        if (counted) leave(address);
        // The far end may use its port anew before the end of its last connection is noticed here.
        if (ways.get(who) === gone) ways.delete(who);
      };
      ways.set(who, gone);
      socket.once('close', gone);
      return true;
    },
    settle: (connection) => ways.get(farEnd(connection as Socket))?.(),
  };
}
