/**
 * One connection of an attacker, from any address: it sends what it is given, and records when the other end
 * disconnects.
 */
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export interface AttackConnection {
  /** Its index among the many. */
  number: number;
  socket: Socket;
  send(bytes: string | Buffer): void;
  /** Resolves with everything received once it fits; rejects if the connection ends first. */
  until(fits: (received: Buffer) => boolean): Promise<Buffer>;
}

export interface ConnectTarget {
  port: number;
  from: string;
  tls: boolean;
}

/** Enough to see the answer to a handshake; a thousand connections must not hold what they receive too. */
const keptBytes = 16_384;

export async function openAttackConnection(
  number: number,
  { port, from, tls }: ConnectTarget,
): Promise<AttackConnection> {
  const to = { host: '127.0.0.1', port, localAddress: from };
  const socket = tls
    ? connectSecure({ ...to, rejectUnauthorized: false, servername: 'localhost' })
    : connectPlain(to);
  socket.setNoDelay(true);
  // A reset counts as a close.
  socket.on('error', () => {});
  await Promise.race([once(socket, tls ? 'secureConnect' : 'connect'), rejectOnClose(socket)]);
  let received: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    if (received.length < keptBytes) received = Buffer.concat([received, bytes]);
  });
  return {
    number,
    socket,
    send: (bytes) => void (socket.writable && socket.write(bytes)),
    async until(fits) {
      while (!fits(received)) await Promise.race([once(socket, 'data'), rejectOnClose(socket)]);
      return received;
    },
  };
}

async function rejectOnClose(socket: Socket): Promise<never> {
  if (!socket.destroyed) await once(socket, 'close');
  throw new Error('The far end hung up.');
}
