/** The first words of a socket, before anybody knows whose it is: few, short, and one at a time. */
import type { Duplex } from 'node:stream';
import { readMessage, up, type Up } from '@drawbridge/contract/uplink/messages';
import type { RawData, WebSocket } from 'ws';

export interface FirstWords {
  /** The next word; undefined when it is another one, makes no sense, or never comes. */
  next<Kind extends 'hello' | 'proof'>(kind: Kind): Promise<Extract<Up, { kind: Kind }> | undefined>;
}

const most = 4;
/** Bytes on the wire: a hello and a proof of any honest device are far shorter. */
const mostBytes = 64 * 1_024;

/** Hangs up on whoever says more than anybody needs to say who they are. Returns how to stop counting. */
export function limitBytes(wire: Duplex): () => void {
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > mostBytes) wire.destroy();
  };
  wire.on('data', count);
  return () => void wire.off('data', count);
}

export function listen(socket: WebSocket): FirstWords {
  const heard: Up[] = [];
  const state = { over: false, wake: () => {} };
  const end = (): void => {
    state.over = true;
    state.wake();
  };
  const hear = (data: RawData, binary: boolean): void => {
    const message = binary ? undefined : readMessage(up, (data as Buffer).toString());
    if (!message || heard.length >= most) return end();
    heard.push(message);
    state.wake();
  };
  socket.on('message', hear);
  socket.once('close', end);
  return {
    async next<Kind extends 'hello' | 'proof'>(kind: Kind) {
      while (heard.length === 0 && !state.over)
        await new Promise<void>((resolve) => void (state.wake = resolve));
      const message = heard.shift();
      if (kind === 'proof') socket.off('message', hear);
      return message?.kind === kind ? (message as Extract<Up, { kind: Kind }>) : undefined;
    },
  };
}
