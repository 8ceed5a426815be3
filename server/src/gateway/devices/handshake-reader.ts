/** The first words of a socket, before anybody knows whose it is: a hello and a proof, each short and in its turn. */
import type { Duplex } from 'node:stream';
import { readMessage, upMessages, type UpMessage } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';

type HandshakeKind = 'hello' | 'proof';

export interface HandshakeReader {
  /** The next word; undefined when it is another one, makes no sense, or never comes. */
  next<Kind extends HandshakeKind>(kind: Kind): Promise<Extract<UpMessage, { kind: Kind }> | undefined>;
}

const order: readonly HandshakeKind[] = ['hello', 'proof'];
/** Bytes: those of any honest device are far shorter. */
const maxMessageBytes: Record<HandshakeKind, number> = { hello: 4 * 1_024, proof: 64 * 1_024 };
/** Bytes on the wire until the device is in. */
export const maxHandshakeBytes = 64 * 1_024;

/** Hangs up on anyone who says more than this. Returns how to stop counting. */
export function limitBytes(rawSocket: Duplex, maxBytes: number, onExceeded: () => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    stop();
    onExceeded();
    rawSocket.destroy();
  };
  const stop = (): void => void rawSocket.off('data', count);
  rawSocket.on('data', count);
  return stop;
}

/** `onInvalid`: something was said that no honest device says. */
export function createHandshakeReader(socket: WebSocket, onInvalid: () => void): HandshakeReader {
  const messages: UpMessage[] = [];
  const state = { count: 0, over: false, wake: () => {} };
  const end = (): void => {
    state.over = true;
    socket.off('message', onMessage);
    state.wake();
  };
  const onMessage = (data: RawData, binary: boolean): void => {
    const kind = order[state.count++]!;
    const bytes = data as Buffer;
    const isReadable = !binary && bytes.length <= maxMessageBytes[kind];
    const message = isReadable ? readMessage(upMessages, bytes.toString(), [kind]) : undefined;
    if (message === undefined || message === 'unexpected') {
      onInvalid();
      return end();
    }
    messages.push(message);
    if (state.count === order.length) socket.off('message', onMessage);
    state.wake();
  };
  socket.on('message', onMessage);
  socket.once('close', end);
  return {
    async next<Kind extends HandshakeKind>(kind: Kind) {
      while (messages.length === 0 && !state.over)
        await new Promise<void>((resolve) => void (state.wake = resolve));
      const message = messages.shift();
      return message?.kind === kind ? (message as Extract<UpMessage, { kind: Kind }>) : undefined;
    },
  };
}
