/** Begins the TLS handshakes that wait one at a time, so that a crowd at the door does not keep those inside waiting. */
import type { Socket } from 'node:net';
import { wideNetworkOf } from '../../domain/networks.ts';

export interface HandshakeScheduler {
  /** A connection was accepted. There may be more: Node accepts one in a turn of its event loop. */
  accepted(): void;
  /** Begins with the connection when its turn comes; one that waited too long is hung up on. */
  queue(socket: WaitingSocket, begin: () => void): void;
}

export type WaitingSocket = Pick<Socket, 'remoteAddress' | 'destroyed' | 'destroy'>;

interface QueuedHandshake {
  socket: WaitingSocket;
  begin(): void;
  until: number;
}

/**
 * As long as connections come in, so many are accepted before the next handshake: accepting is cheap, and who waits in
 * the system's queue waits behind everybody, until that overflows.
 */
const acceptedFirst = 8;

/** Networks take turns: whoever sends a thousand waits for the thousand, and not everybody else. */
export function createHandshakeScheduler(waitTimeoutMs: number): HandshakeScheduler {
  const queues = new Map<string, QueuedHandshake[]>();
  let running = false;
  let [coming, passed] = [false, 0];

  const next = (): QueuedHandshake | undefined => {
    for (const [network, waiting] of queues) {
      const first = waiting.shift();
      // To the end of the round, or out of it.
      queues.delete(network);
      if (waiting.length > 0) queues.set(network, waiting);
      if (first && !first.socket.destroyed) return first;
    }
    return undefined;
  };
  const begin = (): void => {
    const first = next();
    // By now the far end has given up, or is about to: what is spent on it is missing for the others.
    if (first && first.until < performance.now()) first.socket.destroy();
    else first?.begin();
  };
  const turn = (): void => {
    if (coming && passed < acceptedFirst) passed++;
    else {
      passed = 0;
      begin();
    }
    coming = false;
    running = queues.size > 0;
    if (running) setImmediate(turn);
  };
  return {
    accepted: () => void (coming = true),
    queue(socket, start) {
      const network = wideNetworkOf(socket.remoteAddress ?? '');
      const waiting = queues.get(network) ?? [];
      waiting.push({ socket, begin: start, until: performance.now() + waitTimeoutMs });
      queues.set(network, waiting);
      if (!running) setImmediate(turn);
      running = true;
    },
  };
}
