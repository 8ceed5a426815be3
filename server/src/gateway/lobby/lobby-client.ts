/** One client's line: what it says, in turn and not too much of it, and what it is told. */
import { lobbyUp, type LobbyDown, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';
import { createRateLimiter } from '../../edges/rate-limiter.ts';
import type { ClientPreview } from './lobby-subjects.ts';

/** A client who has joined. */
export interface LobbyClient {
  socket: WebSocket;
  accountId: number;
  /** The invitation. */
  id: number;
  key: string;
  preview: ClientPreview | undefined;
}

export const sendToClient = (socket: WebSocket, message: LobbyDown): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
};

/** Says why the line is over, and hangs up. */
export function dismissClient(
  socket: WebSocket,
  code: Extract<LobbyDown, { kind: 'ended' }>['code'],
  message: string,
): undefined {
  sendToClient(socket, { kind: 'ended', code, message });
  socket.close(4_003, code);
}

/** How long a client may take to say which invitation it comes for. */
const joinTimeoutMs = 10_000;
/** A sign of life is asked for this often; one that does not come before the next is asked for never will. */
const pingEveryMs = 10_000;

/** Bytes of the first message of any honest client, with room. */
const maxJoinBytes = 4 * 1_024;

export interface LobbyMessageHandler {
  /** The kinds that may be said now. */
  expectedKinds(): readonly LobbyUp['kind'][];
  handle(message: LobbyUp): Promise<void>;
  /** Something was said that no honest client says. */
  onInvalid(): void;
}

/** Hears a socket until it closes; nothing else is read while something is worked on. */
export function receiveLobbyMessages(
  socket: WebSocket,
  { expectedKinds, handle, onInvalid }: LobbyMessageHandler,
): void {
  const rate = createRateLimiter({ perSecond: 2, burst: 20 });
  let [alive, last, isFirst] = [true, Promise.resolve(), true];
  const refuse = (why: string): void => {
    onInvalid();
    socket.close(4_000, why);
  };
  /** Once it is its turn: what may be said depends on what was said before. */
  const read = async (data: Buffer): Promise<void> => {
    if (socket.readyState !== socket.OPEN) return;
    const message = readMessage(lobbyUp, data.toString(), expectedKinds());
    if (!message) return refuse('not understood');
    if (message === 'unexpected') return refuse('not now');
    await handle(message);
  };
  const joinTimer = setTimeout(() => socket.close(4_008, 'too slow'), joinTimeoutMs);
  const pingTimer = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, pingEveryMs);
  socket.on('pong', () => void (alive = true));
  socket.on('ping', (data) => {
    if (!rate.allow('')) return socket.close(1_008, 'too much');
    // One answer is as good as many, and they must not pile up before somebody who does not read.
    if (socket.bufferedAmount === 0) socket.pong(data);
  });
  socket.on('message', (data: RawData, binary: boolean) => {
    clearTimeout(joinTimer);
    alive = true;
    if (socket.readyState !== socket.OPEN) return;
    if (!rate.allow('')) return socket.close(1_008, 'too much');
    const bytes = data as Buffer;
    if (binary || (isFirst && bytes.length > maxJoinBytes)) return refuse('not understood');
    isFirst = false;
    last = last.then(() => read(bytes)).catch(() => socket.close(1_011, 'try again'));
  });
  socket.once('close', () => {
    clearTimeout(joinTimer);
    clearInterval(pingTimer);
  });
}
