/** A socket to the relay: shows the ticket, waits for the other side, carries frames. */
import { leaveCodes, relayCloseCodes } from '@drawbridge/contract/close-codes';
import { relayProtocol } from '@drawbridge/contract/session/open';
import type { BufferBytes } from './keys.ts';

/** Whatever carries frames to the other side, in order. */
export interface Transport {
  send(frame: BufferBytes): void;
  /** Bytes that have not left yet. */
  buffered(): number;
  /** What was sent before still leaves. */
  close(): void;
}

/** How it was closed; `reason` when the server has ended the session. */
export interface RelayClose {
  reason?: string;
}

export interface RelaySocketListener {
  /** The other side is there. */
  onPaired(): void;
  onFrame(frame: BufferBytes): void;
  /** Once, whoever closed it. */
  onClose(closing: RelayClose): void;
}

export function openRelaySocket(
  at: { relay: string; ticket: string },
  listener: RelaySocketListener,
): Transport {
  const socket = new WebSocket(at.relay, relayProtocol);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send(at.ticket));
  socket.addEventListener('message', (event) => {
    const data = event.data as string | ArrayBuffer;
    if (typeof data !== 'string') listener.onFrame(new Uint8Array(data));
    else if (data === 'paired') listener.onPaired();
  });
  socket.addEventListener('close', ({ code, reason }) =>
    listener.onClose(code === relayCloseCodes.ended.code ? { reason } : {}),
  );
  return {
    send(frame) {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    buffered: () => socket.bufferedAmount,
    close: () => socket.close(leaveCodes.left),
  };
}
