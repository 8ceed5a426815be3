/** Starts pending TLS handshakes one at a time, so that many new connections do not delay the requests of open ones. */
import type { Socket } from 'node:net';
import { wideNetworkOf } from '../../domain/networks.ts';

export interface HandshakeScheduler {
  /** Call when a connection was accepted. More may follow: Node accepts one per turn of the event loop. */
  accepted(): void;
  /** Starts the handshake when it is the socket's turn. A socket that waited too long is destroyed instead. */
  queue(socket: WaitingSocket, begin: () => void): void;
}

export type WaitingSocket = Pick<Socket, 'remoteAddress' | 'destroyed' | 'destroy'>;

interface QueuedHandshake {
  socket: WaitingSocket;
  begin(): void;
  until: number;
}

interface State {
  waitTimeoutMs: number;
  /** By network; the first network of the map is next. */
  queues: Map<string, QueuedHandshake[]>;
  /** Whether the next turn is scheduled. */
  running: boolean;
  /** Whether a connection was accepted since the last turn. */
  accepting: boolean;
  /** How many turns in a row were left to accepting. */
  skippedTurns: number;
}

/**
 * While connections keep arriving, this many are accepted before the next handshake. Accepting is cheap, and the system's
 * queue is shared by everybody and can overflow.
 */
const acceptedFirst = 8;

/** Networks take turns: a network that opens a thousand connections delays only itself. */
export function createHandshakeScheduler(waitTimeoutMs: number): HandshakeScheduler {
  const state: State = {
    waitTimeoutMs,
    queues: new Map(),
    running: false,
    accepting: false,
    skippedTurns: 0,
  };
  return {
    accepted: () => void (state.accepting = true),
    queue: (socket, begin) => queue(state, socket, begin),
  };
}

function queue(state: State, socket: WaitingSocket, begin: () => void): void {
  const network = wideNetworkOf(socket.remoteAddress ?? '');
  const waiting = state.queues.get(network) ?? [];
  waiting.push({ socket, begin, until: performance.now() + state.waitTimeoutMs });
  state.queues.set(network, waiting);
  if (!state.running) setImmediate(runTurn, state);
  state.running = true;
}

function runTurn(state: State): void {
  if (state.accepting && state.skippedTurns < acceptedFirst) state.skippedTurns++;
  else {
    state.skippedTurns = 0;
    startNext(state);
  }
  state.accepting = false;
  state.running = state.queues.size > 0;
  if (state.running) setImmediate(runTurn, state);
}

function startNext(state: State): void {
  const next = takeNext(state.queues);
  // The client has given up by now, or is about to: its handshake would only delay the others.
  if (next && next.until < performance.now()) next.socket.destroy();
  else next?.begin();
}

function takeNext(queues: State['queues']): QueuedHandshake | undefined {
  for (const [network, waiting] of queues) {
    const first = waiting.shift();
    // A network that still has connections waiting moves to the end of the round.
    queues.delete(network);
    if (waiting.length > 0) queues.set(network, waiting);
    if (first && !first.socket.destroyed) return first;
  }
  return undefined;
}
