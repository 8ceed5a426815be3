/** A socket to the relay: shows the ticket, waits for the other side, carries frames. */
import { closeCodes } from '@drawbridge/contract/session/close-codes';
import { relayProtocol } from '@drawbridge/contract/session/open';
import type { Bytes } from './keys.ts';

/** Whatever carries frames to the other side, in order. */
export interface Line {
  send(frame: Bytes): void;
  /** Bytes that have not left yet. */
  buffered(): number;
  /** What was sent before still leaves. */
  close(): void;
}

/** How it ended; `sentence` when the server has ended the session. */
export interface LineEnd {
  sentence?: string;
}

export interface LineListener {
  /** The other side is there. */
  paired(): void;
  frame(frame: Bytes): void;
  /** Once, whoever closed it. */
  closed(closing: LineEnd): void;
}

const goodbye = 1_000;

export function openLine(at: { relay: string; ticket: string }, listener: LineListener): Line {
  const socket = new WebSocket(at.relay, relayProtocol);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(at.ticket));
  socket.addEventListener('message', (event) => {
    const data = event.data as string | ArrayBuffer;
    if (typeof data !== 'string') listener.frame(new Uint8Array(data));
    else if (data === 'paired') listener.paired();
  });
  socket.addEventListener('close', ({ code, reason }) =>
    listener.closed(code === closeCodes.ended.code ? { sentence: reason } : {}),
  );
  return {
    send(frame) {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    buffered: () => socket.bufferedAmount,
    close: () => socket.close(goodbye),
  };
}
