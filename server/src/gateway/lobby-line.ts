/** One client's line: what it says, in turn and not too much of it, and what it is told. */
import { lobbyUp, type LobbyDown, type LobbyUp } from '@drawbridge/contract/session/lobby';
import { readMessage } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';
import { createRate } from '../rate.ts';
import type { Picture } from './lobby-subjects.ts';

/** A client who has joined. */
export interface Line {
  socket: WebSocket;
  accountId: number;
  /** The invitation. */
  id: number;
  key: string;
  picture: Picture | undefined;
}

export const tell = (socket: WebSocket, message: LobbyDown): void => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
};

/** Says why the line is over, and hangs up. */
export function dismiss(
  socket: WebSocket,
  code: Extract<LobbyDown, { kind: 'ended' }>['code'],
  message: string,
): undefined {
  tell(socket, { kind: 'ended', code, message });
  socket.close(4_003, code);
}

/** How long a client may take to say which invitation it comes for. */
const patienceMs = 10_000;
/** A sign of life is asked for this often; one that does not come before the next is asked for never will. */
const pingEveryMs = 10_000;

/** Hears a socket until it closes; nothing else is heard while something is worked on. */
export function hear(socket: WebSocket, work: (message: LobbyUp) => Promise<void>): void {
  const rate = createRate({ perSecond: 2, burst: 20 });
  let [alive, last] = [true, Promise.resolve()];
  const limit = setTimeout(() => socket.close(4_008, 'too slow'), patienceMs);
  const beat = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, pingEveryMs);
  socket.on('pong', () => void (alive = true));
  socket.on('ping', (data) => (rate.allow('') ? socket.pong(data) : socket.close(1_008, 'too much')));
  socket.on('message', (data: RawData, binary: boolean) => {
    clearTimeout(limit);
    alive = true;
    if (socket.readyState !== socket.OPEN) return;
    if (!rate.allow('')) return socket.close(1_008, 'too much');
    const message = binary ? undefined : readMessage(lobbyUp, (data as Buffer).toString());
    if (!message) return socket.close(4_000, 'not understood');
    last = last.then(() => work(message)).catch(() => socket.close(1_011, 'try again'));
  });
  socket.once('close', () => {
    clearTimeout(limit);
    clearInterval(beat);
  });
}
