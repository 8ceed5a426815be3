/** The first words of a socket, before anybody knows whose it is: a hello and a proof, each short and in its turn. */
import type { Duplex } from 'node:stream';
import { readMessage, upMessages, type UpMessage } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';

type FirstKind = 'hello' | 'proof';

export interface FirstWords {
  /** The next word; undefined when it is another one, makes no sense, or never comes. */
  next<Kind extends FirstKind>(kind: Kind): Promise<Extract<UpMessage, { kind: Kind }> | undefined>;
}

const order: readonly FirstKind[] = ['hello', 'proof'];
/** Bytes: those of any honest device are far shorter. */
const longest: Record<FirstKind, number> = { hello: 4 * 1_024, proof: 64 * 1_024 };
/** Bytes on the wire until the device is in. */
export const mostFirstBytes = 64 * 1_024;

/** Hangs up on anyone who says more than this. Returns how to stop counting. */
export function limitBytes(wire: Duplex, most: number, onTooMany: () => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= most) return;
    stop();
    onTooMany();
    wire.destroy();
  };
  const stop = (): void => void wire.off('data', count);
  wire.on('data', count);
  return stop;
}

/** `onWrong`: something was said that no honest device says. */
export function listen(socket: WebSocket, onWrong: () => void): FirstWords {
  const heard: UpMessage[] = [];
  const state = { count: 0, over: false, wake: () => {} };
  const end = (): void => {
    state.over = true;
    socket.off('message', hear);
    state.wake();
  };
  const hear = (data: RawData, binary: boolean): void => {
    const kind = order[state.count++]!;
    const bytes = data as Buffer;
    const isReadable = !binary && bytes.length <= longest[kind];
    const message = isReadable ? readMessage(upMessages, bytes.toString(), [kind]) : undefined;
    if (message === undefined || message === 'unexpected') {
      onWrong();
      return end();
    }
    heard.push(message);
    if (state.count === order.length) socket.off('message', hear);
    state.wake();
  };
  socket.on('message', hear);
  socket.once('close', end);
  return {
    async next<Kind extends FirstKind>(kind: Kind) {
      while (heard.length === 0 && !state.over)
        await new Promise<void>((resolve) => void (state.wake = resolve));
      const message = heard.shift();
      return message?.kind === kind ? (message as Extract<UpMessage, { kind: Kind }>) : undefined;
    },
  };
}
