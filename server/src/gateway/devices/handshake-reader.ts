/** Reads the messages of a device that is not authenticated yet: a hello and a proof, each limited in size and in this order. */
import type { Duplex } from 'node:stream';
import { readMessage, upMessages, type UpMessage } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';

type HandshakeKind = 'hello' | 'proof';

export interface HandshakeReader {
  /** Resolves to the next message; undefined when it is of another kind, is not valid, or never arrives. */
  next<Kind extends HandshakeKind>(kind: Kind): Promise<Extract<UpMessage, { kind: Kind }> | undefined>;
}

const order: readonly HandshakeKind[] = ['hello', 'proof'];
/** In bytes. The messages of honest devices are far shorter. */
const maxMessageBytes: Record<HandshakeKind, number> = { hello: 4 * 1_024, proof: 64 * 1_024 };
/** Bytes on the wire before the device is admitted. */
export const maxHandshakeBytes = 64 * 1_024;

/** Closes the connection when more bytes than this arrive. Returns a function that stops counting. */
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

/** `onInvalid` is called for a message that no honest device sends. */
export function createHandshakeReader(socket: WebSocket, onInvalid: () => void): HandshakeReader {
  const messages: UpMessage[] = [];
  const state = { count: 0, isOver: false, wake: () => {} };
  const end = (): void => {
    state.isOver = true;
    socket.off('message', onMessage);
    state.wake();
  };
  const onMessage = (data: RawData, isBinary: boolean): void => {
    const kind = order[state.count++]!;
    const bytes = data as Buffer;
    const isReadable = !isBinary && bytes.length <= maxMessageBytes[kind];
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
      while (messages.length === 0 && !state.isOver)
        await new Promise<void>((resolve) => void (state.wake = resolve));
      const message = messages.shift();
      return message?.kind === kind ? (message as Extract<UpMessage, { kind: Kind }>) : undefined;
    },
  };
}
