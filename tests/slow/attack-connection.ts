/** One connection of an attacker, from an address of its choice: it says what it is told, and notes when the far end hangs up. */
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';

export interface AttackConnection {
  /** Which of the many it is. */
  number: number;
  socket: Socket;
  say(bytes: string | Buffer): void;
  /** Resolves with all that was heard once it fits; rejects when the connection ends before. */
  until(fits: (heard: Buffer) => boolean): Promise<Buffer>;
}

export interface ConnectTarget {
  port: number;
  from: string;
  tls: boolean;
}

/** Enough to see the answer to a handshake; whoever holds a thousand connections must not hold what they say too. */
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
  // A reset is one of the ways to hang up.
  socket.on('error', () => {});
  await Promise.race([once(socket, tls ? 'secureConnect' : 'connect'), rejectOnClose(socket)]);
  let heard: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    if (heard.length < keptBytes) heard = Buffer.concat([heard, bytes]);
  });
  return {
    number,
    socket,
    say: (bytes) => void (socket.writable && socket.write(bytes)),
    async until(fits) {
      while (!fits(heard)) await Promise.race([once(socket, 'data'), rejectOnClose(socket)]);
      return heard;
    },
  };
}

async function rejectOnClose(socket: Socket): Promise<never> {
  if (!socket.destroyed) await once(socket, 'close');
  throw new Error('The far end hung up.');
}
